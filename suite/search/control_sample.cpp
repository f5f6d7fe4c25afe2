#include "suite/search/control_sample.hpp"

#include "suite/search/new_points.hpp"

namespace dwarfsweep {
namespace {

// Another sequence than that of what the strategy itself draws by the same seed.
constexpr std::uint64_t control_stream = 0xC0;

}  // namespace

ControlSample::ControlSample(const SearchSpace& space, std::uint64_t seed)
    : space_(space), random_(seed_of_part(seed, control_stream)) {}

std::optional<PointNumber> ControlSample::next() {
  const auto point = draw_new(
      space_, [&](PointNumber each) { return drawn_.count(each) == 0; }, random_);
  if (point) drawn_.insert(*point);
  return point;
}

}  // namespace dwarfsweep

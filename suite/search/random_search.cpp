#include "suite/search/random_search.hpp"

#include <algorithm>

namespace dwarfsweep {
namespace {

// Another sequence than that of what the strategy itself draws by the same seed.
constexpr std::uint64_t control_stream = 0xC0;

// The probability that none of the `k` fastest is among `draws` of `points` follows, from the one for k - 1,
// by the factor (points - draws - k + 1) / (points - k + 1): the k-th is not drawn either. Calls
// `take(k, probability that the k-th is the fastest drawn)`, k from 0, until take returns false or nothing is
// left, and returns the probability left.
template <typename Take>
double for_each_best(std::size_t count, std::size_t points, std::size_t draws, Take take) {
  double none_before = 1;
  const auto n = static_cast<double>(points);
  const auto t = static_cast<double>(std::min(draws, points));
  for (std::size_t k = 0; k < count && none_before > 0; ++k) {
    const double left = n - static_cast<double>(k);
    const double none = none_before * std::max(0.0, left - t) / left;
    if (!take(k, none_before - none)) return none;
    none_before = none;
  }
  return none_before;
}

}  // namespace

ControlSample::ControlSample(const SearchSpace& space, std::uint64_t seed)
    : space_(space), random_(seed_of_part(seed, control_stream)) {}

std::optional<PointNumber> ControlSample::next() {
  const auto point = draw_new(
      space_, [&](PointNumber each) { return drawn_.count(each) == 0; }, random_);
  if (point) drawn_.insert(*point);
  return point;
}

double RandomSearch::expected_best(std::size_t draws) const {
  double sum = 0;
  const double rest = for_each_best(times_.size(), points_, draws, [&](std::size_t k, double probability) {
    sum += probability * times_[k];
    return true;
  });
  return sum + rest * times_.back();
}

double RandomSearch::median_best(std::size_t draws) const {
  double reached = 0;
  double median = times_.back();
  for_each_best(times_.size(), points_, draws, [&](std::size_t k, double probability) {
    reached += probability;
    median = times_[k];
    return reached < 0.5;
  });
  return reached < 0.5 ? times_.back() : median;
}

double RandomSearch::probability_within(double time, std::size_t draws) const {
  const auto within = static_cast<std::size_t>(std::ranges::upper_bound(times_, time) - times_.begin());
  return 1 - for_each_best(within, points_, draws, [](std::size_t, double) { return true; });
}

}  // namespace dwarfsweep

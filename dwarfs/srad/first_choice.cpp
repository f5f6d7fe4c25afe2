// srad where no point is known: fused steps, with so few pixels for a work-item that every compute unit has
// work.
#include <algorithm>

#include "dwarfs/srad/parameters.hpp"
#include "dwarfs/srad/space.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::srad {
namespace {

// A GPU's unit with fewer has nothing to do while it waits for memory. On an H200 steps of 256 x 256 pixels
// take 3/4 of the time with columns instead of vectors of four.
constexpr std::size_t enough_items = 64;

// The work-items of a step of `fused`.
std::size_t items(const Problem& problem, std::size_t width, std::size_t rows) {
  const Parameters p = parameters_of(problem);
  return ceil_div(p.cols, width) * ceil_div(p.rows, rows);
}

}  // namespace

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  if (!device.is_gpu) {
    // A work-item has whole rows of up to 1024 columns.
    std::int64_t rows = space.default_config("fused_rows", device).integer("granularity");
    while (rows > 4 && items(problem, 1024, static_cast<std::size_t>(rows)) < device.compute_units)
      rows = rows == 16 ? 4 : 16;
    return {{"variant", "fused_rows"}, {"granularity", rows}};
  }
  const Config fused = space.default_config("fused", device);
  std::int64_t width = fused.integer("vector_width");
  std::int64_t rows = fused.integer("granularity");
  const auto idle = [&] {
    return items(problem, static_cast<std::size_t>(width), static_cast<std::size_t>(rows)) <
           enough_items * device.compute_units;
  };
  while (width > 1 && idle()) width /= 2;
  while (rows > 4 && idle()) rows /= 4;
  return {{"variant", "fused"}, {"vector_width", width}, {"granularity", rows}};
}

}  // namespace dwarfsweep::srad

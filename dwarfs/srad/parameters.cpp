#include "dwarfs/srad/parameters.hpp"

#include <fmt/format.h>

#include "harness/space/error.hpp"

namespace dwarfsweep::srad {

Parameters parameters_of(const Problem& problem) {
  const auto key = [&](const char* name) { return static_cast<std::size_t>(problem.integer(name)); };
  Parameters p;
  p.rows = key("rows");
  p.cols = key("cols");
  p.iterations = static_cast<int>(problem.integer("iterations"));
  p.lambda = problem.real("lambda");
  p.region = {key("roi_top"), key("roi_top") + key("roi_rows"), key("roi_left"),
              key("roi_left") + key("roi_cols")};
  if (p.region.top >= p.rows || p.region.left >= p.cols || p.region.bottom > p.rows ||
      p.region.right > p.cols) {
    throw UsageError(fmt::format(
        "srad: the region of interest, {} x {} pixels (0: all that follow) from row {}, column {} on, is "
        "not inside the image of {} x {}",
        key("roi_rows"), key("roi_cols"), p.region.top, p.region.left, p.rows, p.cols));
  }
  if (p.region.bottom == p.region.top) p.region.bottom = p.rows;
  if (p.region.right == p.region.left) p.region.right = p.cols;
  return p;
}

}  // namespace dwarfsweep::srad

// matmul where no point is known: the register tiles of `blocked`, as wide as shape and device allow.
#include <algorithm>
#include <vector>

#include "dwarfs/matmul/operands.hpp"
#include "dwarfs/matmul/space.hpp"
#include "harness/rounding.hpp"

namespace dwarfsweep::matmul {
namespace {

// Beside the default's 16 x 8 results, from the widest: the best on an H200 at 3000 x 100 x 3000 and at 1024
// cubed.
std::vector<ValueMap> narrower_tiles() {
  return {{{"variant", "blocked"},
           {"tile_x", 8},
           {"tile_k", 16},
           {"buffering", "double"},
           {"packing", "both"},
           {"lanes", 4},
           {"band", 1}},
          {{"variant", "blocked"},
           {"tile_x", 4},
           {"tile_k", 16},
           {"buffering", "prefetch"},
           {"packing", "a"},
           {"lanes", 8}}};
}

// Groups for three of four units, if each tile has so many.
bool fills(const BlockedShape& tile, const Shape& shape, const Capabilities& device, std::int64_t each) {
  const std::int64_t groups = ceil_div(shape.cols, tile.group_x()) * ceil_div(shape.rows, tile.group_y());
  return 4 * groups * each >= 3 * static_cast<std::int64_t>(device.compute_units);
}

// Columns that are computed and thrown away are at most half as many as the others.
bool fits(const BlockedShape& tile, const Shape& shape) {
  return 2 * round_up(shape.cols, tile.group_x()) <= 3 * shape.cols;
}

// A work-item alone goes down a stack of tiles; a short one where units would have none.
ValueMap stacks(const Config& blocked, const Shape& shape, const Capabilities& device) {
  const BlockedShape tile(blocked);
  std::int64_t height = tile.granularity;
  const auto groups = [&] {
    return ceil_div(shape.cols, tile.group_x()) * ceil_div(shape.rows, tile.group_y() * height);
  };
  while (height > 1 && groups() < static_cast<std::int64_t>(device.compute_units)) height /= 2;
  return {{"variant", "blocked"}, {"granularity", height}};
}

}  // namespace

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  const Config blocked = space.default_config("blocked", device);
  const Shape shape = shape_of(problem);
  if (!device.is_gpu) return stacks(blocked, shape, device);
  std::vector<ValueMap> candidates{{{"variant", "blocked"}}};
  const BlockedShape widest(blocked);
  for (const ValueMap& narrower : narrower_tiles()) {
    if (widest.staged && narrower.integer("tile_x") < widest.tile_x) candidates.push_back(narrower);
  }
  // Whole terms if any tile allows, as shares are added in a launch of their own; else shares; else the
  // narrowest.
  for (const std::int64_t shares : {std::int64_t{1}, std::max<std::int64_t>(1, shape.terms / min_share)}) {
    for (const ValueMap& candidate : candidates) {
      const BlockedShape tile(space.set(space.baseline(), candidate, device));
      if (fits(tile, shape) && fills(tile, shape, device, shares)) return candidate;
    }
  }
  return candidates.back();
}

}  // namespace dwarfsweep::matmul

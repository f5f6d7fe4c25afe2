// matmul where no point is known: the register tiles of `blocked`, as wide as shape and device allow.
#include <algorithm>
#include <vector>

#include "dwarfs/matmul/operands.hpp"
#include "dwarfs/matmul/space.hpp"
#include "harness/rounding.hpp"

namespace dwarfsweep::matmul {
namespace {

// Narrower than a group of the default, 128 x 256 results on an H200: with groups of 128 x 128, 64 x 64 and
// 64 x 32. They pack nothing: at such sizes that takes longer than what it saves. On an H200, packed and not:
// 90 and 65 us at 1024 cubed (groups of 64 x 64), 114 and 72 us at 3000 x 100 x 3000 (128 x 128, in shares).
std::vector<ValueMap> narrower_tiles() {
  const ValueMap tile{{"variant", "blocked"}, {"work_group", 16}, {"vector_width", 4},
                      {"padding", 4},         {"unroll", 8},      {"buffering", "prefetch"},
                      {"packing", "none"},    {"tile_x", 8},      {"tile_y", 8},
                      {"tile_k", 16},         {"lanes", 4},       {"band", 4}};
  return {tile, tile.with("work_group", 8), tile.with("work_group", 8).with("tile_x", 4)};
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
  const ValueMap widest{{"variant", "blocked"}};
  const BlockedShape whole(blocked);
  std::vector<ValueMap> candidates;
  for (const ValueMap& narrower : narrower_tiles()) {
    const BlockedShape tile(space.set(space.baseline(), narrower, device));
    if (whole.staged && tile.group_x() * tile.group_y() < whole.group_x() * whole.group_y() &&
        tile.tile_x * tile.tile_y <= whole.tile_x * whole.tile_y)
      candidates.push_back(narrower);
  }
  if (candidates.empty() || (fits(whole, shape) && fills(whole, shape, device, 1))) return widest;
  // Whole terms if a tile allows, as shares are added in a launch of their own; else shares; else the
  // narrowest.
  for (const std::int64_t shares : {std::int64_t{1}, std::max<std::int64_t>(1, shape.terms / min_share)}) {
    for (std::size_t i = 0; i + 1 < candidates.size(); ++i) {
      const BlockedShape tile(space.set(space.baseline(), candidates[i], device));
      if (fits(tile, shape) && fills(tile, shape, device, shares)) return candidates[i];
    }
  }
  return candidates.back();
}

}  // namespace dwarfsweep::matmul

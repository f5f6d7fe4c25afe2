// matmul where no point is known: the register tiles of `blocked`, as wide as shape and device allow.
#include <algorithm>
#include <vector>

#include "dwarfs/matmul/operands.hpp"
#include "dwarfs/matmul/space.hpp"
#include "harness/rounding.hpp"

namespace dwarfsweep::matmul {
namespace {

constexpr std::int64_t max_height = 32;

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

// Tiles of a stack, for work-items alone. A stack loads its part of B once, which takes about as long as half
// a tile's products, and the last stacks leave other units idle.
std::int64_t stack_height(const BlockedShape& tile, const Shape& shape, const Capabilities& device) {
  const auto units = static_cast<double>(std::max<std::uint32_t>(1, device.compute_units));
  const std::int64_t below = ceil_div(shape.rows, tile.group_y());
  const auto tiles = static_cast<double>(below * ceil_div(shape.cols, tile.group_x()));
  const auto cost = [&](std::int64_t height) {
    const auto tall = static_cast<double>(height);
    return tiles / tall / 2 / units + tall * (units - 1) / units;
  };
  std::int64_t height = 1;
  while (height < std::min(below, max_height) && cost(2 * height) < cost(height)) height *= 2;
  return height;
}

// The registers' tile, or one of half as many columns where those that it adds are thrown away. B is packed
// where that pays: not if it stays in a second-level cache as it is, nor for few rows.
ValueMap choice_for_cpu(const Space& space, const Config& blocked, const Shape& shape,
                        const Capabilities& device) {
  const BlockedShape widest(blocked);
  const std::int64_t half = widest.tile_x / 2;
  const bool narrow = half >= 2 * widest.vector_width &&
                      32 * round_up(shape.cols, widest.tile_x) > 33 * round_up(shape.cols, half);
  ValueMap choice{{"variant", "blocked"}};
  if (narrow) choice = choice.with("tile_x", half).with("tile_y", 8);
  const bool packs = shape.rows > 512 && shape.cols * shape.terms > (1 << 18);
  if (!packs) choice = choice.with("packing", "none");
  const BlockedShape tile(space.set(blocked, choice, device));
  return choice.with("granularity", stack_height(tile, shape, device));
}

}  // namespace

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  const Config blocked = space.default_config("blocked", device);
  const Shape shape = shape_of(problem);
  if (!device.is_gpu) return choice_for_cpu(space, blocked, shape, device);
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

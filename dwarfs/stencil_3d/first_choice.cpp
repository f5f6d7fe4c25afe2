// stencil_3d where no point is known: streaming, on GPUs with as many planes for a group as leave every
// compute unit with work. A group reads eight planes more than it computes, so that deep ones read least.
#include "dwarfs/stencil_3d/grid.hpp"
#include "dwarfs/stencil_3d/space.hpp"
#include "harness/device/kinds.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::stencil_3d {
namespace {

// On an H200 the 128 tiles of 512 x 512 take 293 us in groups of 256 planes, two for each unit, and 297 us in
// groups of 128; the eight of 128 x 128 take 13 us in groups of 8 and 67 us in groups of 128.
constexpr std::int64_t deepest = 256;
constexpr std::int64_t shallowest = 8;

}  // namespace

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  const ValueMap streaming = {{"variant", "streaming"}};
  if (!device.is_gpu) return streaming;
  static const Space space = make_space();
  const Groups groups(space.default_config("streaming", device));
  const Grid grid = grid_of(problem);
  const std::int64_t tiles =
      ceil_div(grid.nx - 2 * radius, groups.tile_x) * ceil_div(grid.ny - 2 * radius, groups.tile_y);
  // Three groups for two units: with fewer, the last wave is most of the time.
  const auto idle = [&](std::int64_t depth) {
    return 2 * tiles * ceil_div(grid.nz - 2 * radius, depth) < 3 * std::int64_t{device.compute_units};
  };
  std::int64_t depth = deepest;
  while (depth > shallowest && idle(depth)) depth /= 2;
  return streaming.with("depth", depth);
}

}  // namespace dwarfsweep::stencil_3d

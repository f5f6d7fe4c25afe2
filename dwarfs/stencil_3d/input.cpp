#include "dwarfs/stencil_3d/input.hpp"

#include <fmt/format.h>

#include "harness/device/host.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::stencil_3d {

std::shared_ptr<const StencilInput> random_grid(const Grid& grid, std::uint64_t seed) {
  // Input, result, what is expected; for several steps also two grids in double precision.
  const double bytes = static_cast<double>(grid.nx) * static_cast<double>(grid.ny) *
                       static_cast<double>(grid.nz) * (3 * sizeof(float) + (grid.steps > 1 ? 16 : 0));
  require_host_memory(fmt::format("stencil_3d: a grid of {} x {} x {}", grid.nx, grid.ny, grid.nz),
                      static_cast<std::uint64_t>(std::min(bytes, 0x1p62)));
  Random random(seed);
  std::vector<float> values(grid.points());
  random.fill_uniform(values, -1, 1);
  return std::make_shared<StencilInput>(grid, diffusion_coefficients(), std::move(values));
}

}  // namespace dwarfsweep::stencil_3d

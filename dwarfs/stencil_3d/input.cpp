#include "dwarfs/stencil_3d/input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/device/host.hpp"
#include "harness/space/rounding.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::stencil_3d {

Grid grid_of(const Problem& problem) {
  return {problem.integer("nx"), problem.integer("ny"), problem.integer("nz"),
          static_cast<int>(problem.integer("steps"))};
}

Coefficients diffusion_coefficients() {
  constexpr double axes = 3;
  constexpr std::array<double, radius + 1> second_derivative = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
                                                                -1.0 / 560};
  Coefficients coefficients{};
  coefficients[0] = static_cast<float>(1 + diffusion_rate * axes * second_derivative[0]);
  for (std::size_t k = 1; k < coefficients.size(); ++k)
    coefficients[k] = static_cast<float>(diffusion_rate * second_derivative[k]);
  return coefficients;
}

// The multiples and the elements behind are those that the head of kernels_cl/stencil_3d/stencil_3d.cl asks
// for.
Layout::Layout(const Grid& of, bool padded)
    : grid(of),
      left(padded ? 28 : 0),
      stride(padded ? round_up(left + grid.nx + 32, 32) : grid.nx),
      floats(static_cast<std::size_t>(stride * grid.ny * grid.nz + (padded ? 0 : 32))) {}

std::vector<float> Layout::spread(std::span<const float> points) const {
  std::vector<float> spread(floats);
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < grid.ny * grid.nz; ++row) {
    std::copy_n(points.data() + row * grid.nx, grid.nx, spread.data() + row * stride + left);
  }
  return spread;
}

std::vector<float> Layout::gather(std::span<const float> spread) const {
  std::vector<float> points(grid.points());
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < grid.ny * grid.nz; ++row) {
    std::copy_n(spread.data() + row * stride + left, grid.nx, points.data() + row * grid.nx);
  }
  return points;
}

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

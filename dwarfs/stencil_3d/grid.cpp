#include "dwarfs/stencil_3d/grid.hpp"

#include <algorithm>

#include "harness/space/rounding.hpp"

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

}  // namespace dwarfsweep::stencil_3d

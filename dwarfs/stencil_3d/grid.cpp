#include "dwarfs/stencil_3d/grid.hpp"

#include <algorithm>

#include "harness/rounding.hpp"

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
  if (contiguous()) {
    std::copy(points.begin(), points.end(), spread.begin());
    return spread;
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < grid.ny * grid.nz; ++row) {
    std::copy_n(points.data() + row * grid.nx, grid.nx, spread.data() + row * stride + left);
  }
  return spread;
}

void Layout::gather(std::vector<float>& all) const {
  if (!contiguous()) {
    // Each row moves towards the beginning, and none over one that is still to move.
    for (std::int64_t row = 0; row < grid.ny * grid.nz; ++row) {
      const float* from = all.data() + row * stride + left;
      std::copy(from, from + grid.nx, all.data() + row * grid.nx);
    }
  }
  all.resize(grid.points());
}

}  // namespace dwarfsweep::stencil_3d

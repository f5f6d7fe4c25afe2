// The grid of stencil_3d, the coefficients, and how a grid lies in the device's memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/space/problem.hpp"

namespace dwarfsweep::stencil_3d {

constexpr std::int64_t radius = 4;

/// nz planes of ny rows of nx points, contiguous; `steps` to make.
struct Grid {
  std::int64_t nx = 0, ny = 0, nz = 0;
  int steps = 1;

  [[nodiscard]] std::size_t points() const { return static_cast<std::size_t>(nx * ny * nz); }
  /// Those that have four neighbours on every side.
  [[nodiscard]] std::int64_t inner_points() const {
    return (nx - 2 * radius) * (ny - 2 * radius) * (nz - 2 * radius);
  }
};

Grid grid_of(const Problem& problem);

/// c0 .. c4.
using Coefficients = std::array<float, radius + 1>;

/// u' = u + rate (uxx + uyy + uzz), with the second derivatives by central differences of eighth order: the
/// coefficients follow from Taylor's series, and are exact for polynomials up to degree 9. B. Fornberg,
/// "Generation of finite difference formulas on arbitrarily spaced grids", Mathematics of Computation
/// 51(184), 1988, table 1.
constexpr double diffusion_rate = 1.0 / 32;
Coefficients diffusion_coefficients();

/// On the device: rows of `stride` floats whose points begin at `left`, and unused elements behind.
struct Layout {
  Layout(const Grid& grid, bool padded);

  [[nodiscard]] std::vector<float> spread(std::span<const float> points) const;
  /// The reverse.
  [[nodiscard]] std::vector<float> gather(std::span<const float> floats) const;

  Grid grid;
  std::int64_t left, stride;
  std::size_t floats;  ///< of the whole buffer
};

}  // namespace dwarfsweep::stencil_3d

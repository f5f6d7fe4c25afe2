// The grid of stencil_3d, the coefficients, and how a grid lies in the device's memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/space/problem.hpp"

namespace dwarfsweep::stencil_3d {

constexpr std::int64_t radius = 4;

/// nz planes of ny rows of nx points, contiguous; `steps` to make.
struct Grid {
  std::int64_t nx = 0, ny = 0, nz = 0;
  int steps = 1;

  [[nodiscard]] std::size_t points() const { return static_cast<std::size_t>(nx * ny * nz); }
  /// The points that have four neighbours on every side.
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

class Verifier {
 public:
  /// `values` must outlive the verifier.
  Verifier(const Grid& grid, const Coefficients& coefficients, const std::vector<float>& values)
      : grid_(grid), coefficients_(coefficients), values_(values) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `output` holds the grid after its steps, as `layout` says; its outer layers must be the input's,
  /// exactly.
  [[nodiscard]] Check check(std::span<const float> output, const Layout& layout) const;

 private:
  [[nodiscard]] bool is_inner_row(std::int64_t row) const;
  /// What to say of the first point of a row that is wrong.
  [[nodiscard]] std::string first_wrong(std::int64_t row, const float* output) const;
  void compute_expected() const;

  const Grid grid_;
  const Coefficients coefficients_;
  const std::vector<float>& values_;
  mutable std::once_flag once_;
  mutable std::vector<float> expected_;
  mutable double tolerance_ = 0;
};

// A grid's values before the first step, with the coefficients and the check.

class StencilInput final : public Input {
 public:
  StencilInput(const Grid& grid, const Coefficients& coefficients, std::vector<float> values)
      : grid_(grid),
        coefficients_(coefficients),
        values_(std::move(values)),
        verifier_(grid_, coefficients_, values_) {}

  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] const Coefficients& coefficients() const { return coefficients_; }
  [[nodiscard]] const std::vector<float>& values() const { return values_; }
  [[nodiscard]] Check check(std::span<const float> output, const Layout& layout) const {
    return verifier_.check(output, layout);
  }

 private:
  Grid grid_;
  Coefficients coefficients_;
  std::vector<float> values_;
  Verifier verifier_;
};

/// Uniform in [-1, 1). Throws PointFailure where the host's memory does not suffice.
std::shared_ptr<const StencilInput> random_grid(const Grid& grid, std::uint64_t seed);

}  // namespace dwarfsweep::stencil_3d

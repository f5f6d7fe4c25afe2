// A grid's values before the first step, with the coefficients and the check.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dwarfs/stencil_3d/grid.hpp"
#include "dwarfs/stencil_3d/verification.hpp"
#include "harness/run/case.hpp"

namespace dwarfsweep::stencil_3d {

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

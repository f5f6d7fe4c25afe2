// The check of a result of stencil_3d against steps in double precision. Shares no code with the kernels or
// with the host version.
//
// The tolerance. With u = 2^-24, a new value is a sum of 25 products, in whatever order, neighbours added
// before they are multiplied or not, fused or not: each term carries at most 26 roundings, so a step commits
// at most gamma_26(u) S U, where S is the sum of the absolute coefficients of the 25 points and U the largest
// absolute value on the grid; what is flushed to zero adds at most 25 * 2^-126. A step spreads the error E of
// its input to at most S E. So
//   E' = S E + gamma_26(u) S (U + E) + 25 * 2^-126.
// U is the reference's, which double precision follows to far less than is allowed here. What is compared
// with is rounded to float itself: u U more. The coefficients are floats: they have no error.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/stencil_3d/grid.hpp"
#include "harness/run/case.hpp"

namespace dwarfsweep::stencil_3d {

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

}  // namespace dwarfsweep::stencil_3d

// The check of LU factors. Shares no code with the kernels or the host's version.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "dwarfs/lud/exact_factors.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// How far the product of single-precision factors may be from the matrix, relative to |L||U|; derived in the
/// .cpp file.
double factor_tolerance(std::size_t order);

/// Checks factors of one matrix. What this takes is computed when first asked for, and kept; thread-safe.
class FactorVerification {
 public:
  /// `values` holds order x order floats, row-major, and must outlive this.
  FactorVerification(std::span<const float> values, std::size_t order) : values_(values), order_(order) {}

  /// `factors` has rows of `stride` floats. Small orders are compared element by element with exact factors;
  /// all by the residual L (U x) - A x of random vectors x. max_error is the largest residual relative to
  /// |L||U||x|.
  [[nodiscard]] Check check(const float* factors, std::size_t stride) const;

  /// For orders up to exact_order: the factors in double precision, and by how much a correct
  /// single-precision factorisation may differ from each of their elements.
  [[nodiscard]] const ExactFactors& exact() const;
  static constexpr std::size_t exact_order = 512;

  /// Random vectors x, and A x, in double precision; `probes` of each, element i of vector p at [i * probes +
  /// p].
  struct Probes {
    std::vector<double> x;
    std::vector<double> product;
  };
  static constexpr std::size_t probes = 3;

 private:
  std::span<const float> values_;
  std::size_t order_;
  mutable std::once_flag probes_once_;
  mutable std::once_flag exact_once_;
  mutable Probes probes_;
  mutable ExactFactors exact_;
};

}  // namespace dwarfsweep

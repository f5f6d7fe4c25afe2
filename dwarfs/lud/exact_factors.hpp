// LU factors in double precision, and how far correct single-precision factors may be from them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dwarfsweep {

/// Both arrays are order x order, row-major: below the diagonal L, whose diagonal of ones is not stored, on
/// and above it U.
struct ExactFactors {
  std::vector<double> factors;
  std::vector<double> bounds;  ///< of the absolute difference of each element
};

/// `values` holds order x order elements. `tolerance` bounds |A - L U| relative to |L||U|. Takes
/// O(order^3) time on one thread: for small orders.
ExactFactors exact_factors(std::span<const float> values, std::size_t order, double tolerance);

}  // namespace dwarfsweep

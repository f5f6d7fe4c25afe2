// Rounding of sums in single precision, for checks of results.
#pragma once

#include <cmath>

namespace dwarfsweep {

/// u, the relative error of rounding to nearest.
inline constexpr double unit_roundoff = 0x1p-24;

/// gamma_n, a bound of the relative error of n successive roundings: (1 + u)^n - 1 < e^(n u) - 1. Unlike
/// Higham's n u / (1 - n u), it holds for any n.
inline double rounding_bound(double roundings, double unit = unit_roundoff) {
  return std::expm1(roundings * unit);
}

/// Whether every partial sum is a float, so that a sum has no error at all. The terms are integers times a
/// common factor, at most `largest` of it, independent of each other, and positive or negative with the same
/// probability. In an order that does not depend on them, the sum of k terms is beyond 12 sqrt(k) * largest
/// with a probability of at most 2 exp(-72) (W. Hoeffding, "Probability inequalities for sums of bounded
/// random variables", 1963).
inline bool random_sums_are_exact(double terms, double largest) {
  return 12 * std::sqrt(terms) * largest < 0x1p24;
}

}  // namespace dwarfsweep

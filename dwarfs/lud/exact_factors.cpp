#include "dwarfs/lud/input.hpp"

#include <cmath>

namespace dwarfsweep {
namespace {

using Square = std::vector<double>;  // n x n, row-major

Square factor_in_double(std::span<const float> values, std::size_t n) {
  Square a(values.begin(), values.end());
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] /= a[k * n + k];
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return a;
}

// Which part of a square matrix is looked at; the rest counts as zero.
enum class Part { lower, upper, full };

Square magnitudes(const Square& a, std::size_t n, Part part, bool ones_on_diagonal) {
  Square result(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t begin = part == Part::upper ? i : 0;
    const std::size_t end = part == Part::lower ? i + 1 : n;
    for (std::size_t j = begin; j < end; ++j) result[i * n + j] = std::abs(a[i * n + j]);
    if (ones_on_diagonal) result[i * n + i] = 1;
  }
  return result;
}

Square multiply(const Square& left, const Square& right, std::size_t n) {
  Square result(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = left[i * n + k];
      if (factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j) result[i * n + j] += factor * right[k * n + j];
    }
  }
  return result;
}

// The inverse of the unit lower triangle of `a`, diagonal included.
Square inverse_of_lower(const Square& a, std::size_t n) {
  Square result(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    result[i * n + i] = 1;
    for (std::size_t k = 0; k < i; ++k) {
      const double factor = a[i * n + k];
      for (std::size_t j = 0; j <= k; ++j) result[i * n + j] -= factor * result[k * n + j];
    }
  }
  return result;
}

Square inverse_of_upper(const Square& a, std::size_t n) {
  Square result(n * n);
  for (std::size_t i = n; i-- > 0;) {
    result[i * n + i] = 1;
    for (std::size_t k = i + 1; k < n; ++k) {
      const double factor = a[i * n + k];
      for (std::size_t j = k; j < n; ++j) result[i * n + j] -= factor * result[k * n + j];
    }
    for (std::size_t j = i; j < n; ++j) result[i * n + j] /= a[i * n + i];
  }
  return result;
}

// The computed factors are the exact ones of A + E with |E| <= gamma |L||U|. To first order the factors then
// move by
//     |dL| <= |L| stril(F),   |dU| <= triu(F) |U|,   F = |L^-1| E |U^-1|
// (Higham 2002, chapter 9, sensitivity of the LU factorization). Twice that covers the higher orders while F
// is small against 1, and the last rounding of each element is within E already.
Square bounds_of_factors(const Square& factors, std::size_t n, double tolerance) {
  const Square lower = magnitudes(factors, n, Part::lower, true);
  const Square upper = magnitudes(factors, n, Part::upper, false);
  const Square lower_inverse = magnitudes(inverse_of_lower(factors, n), n, Part::lower, true);
  const Square upper_inverse = magnitudes(inverse_of_upper(factors, n), n, Part::upper, false);
  Square change = multiply(multiply(lower_inverse, lower, n), multiply(upper, upper_inverse, n), n);
  const double doubled = 2 * tolerance;
  for (double& element : change) element *= doubled;
  Square strictly_lower = magnitudes(change, n, Part::lower, false);
  for (std::size_t i = 0; i < n; ++i) strictly_lower[i * n + i] = 0;
  const Square of_lower = multiply(lower, strictly_lower, n);
  const Square of_upper = multiply(magnitudes(change, n, Part::upper, false), upper, n);
  Square bounds(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) bounds[i * n + j] = j < i ? of_lower[i * n + j] : of_upper[i * n + j];
  }
  return bounds;
}

}  // namespace

ExactFactors exact_factors(std::span<const float> values, std::size_t order, double tolerance) {
  ExactFactors exact;
  exact.factors = factor_in_double(values, order);
  exact.bounds = bounds_of_factors(exact.factors, order, tolerance);
  return exact;
}

}  // namespace dwarfsweep

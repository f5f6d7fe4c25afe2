#include "dwarfs/lud/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "harness/statistics/random.hpp"

namespace dwarfsweep {
namespace {

using Index = std::ptrdiff_t;  // signed: the type that all OpenMP versions accept for loop counters
using Probes = FactorVerification::Probes;
constexpr std::size_t probes = FactorVerification::probes;

// Tolerance. Whatever the order of the sums, fused or not, factors computed with unit roundoff u = 2^-24 obey
//     |A - L U| <= gamma |L| |U|,   gamma = N u / (1 - N u)
// element by element, where no element passes through more than N roundings (Higham 2002, theorem 9.3). There
// are at most n subtractions, and one division that may be a product with a reciprocal: OpenCL grants a
// reciprocal 2.5 ulp, that is 5 u, and the product rounds once more; with the last rounding of the product's
// own sum N = n + 8 is safe. For large n that is far too pessimistic to see a wrong element: roundings of
// random sign add up as their root, and with probability above 1 - 2 n^3 exp(-k^2 / 2) the bound holds with N
// replaced by k sqrt(N) (N. J. Higham and T. Mary, A new approach to probabilistic rounding error analysis,
// SIAM J. Sci. Comput. 41(5), 2019). k = 10: a false alarm at n = 65536 has a chance of 1e-7. Hence N = min(n
// + 8, 10 sqrt(n + 8)).
//
// The residual (L U - A) x of a vector is then within gamma |L| |U| |x|, row by row. It is computed in double
// precision, whose own error is 2^-29 of that.

double roundings(std::size_t order) {
  const auto steps = static_cast<double>(order) + 8;
  return std::min(steps, 10 * std::sqrt(steps));
}

// Per probe: the sum of products, and the sum of their magnitudes.
struct Sums {
  std::array<double, probes> value{};
  std::array<double, probes> magnitude{};
};

// row[begin, end) times the rows begin.. of `value` and `magnitude`, which are laid out as in Probes.
Sums products(const float* row, const double* value, const double* magnitude, Index begin, Index end) {
  Sums sums;
  for (Index j = begin; j < end; ++j) {
    const double element = row[j];
    const double size = std::abs(element);
    for (std::size_t p = 0; p < probes; ++p) {
      sums.value[p] += element * value[static_cast<std::size_t>(j) * probes + p];
      sums.magnitude[p] += size * magnitude[static_cast<std::size_t>(j) * probes + p];
    }
  }
  return sums;
}

Probes make_probes(std::span<const float> values, std::size_t order) {
  Probes probe;
  Random random(seed_of_part(order, 1));
  probe.x.resize(order * probes);
  for (double& x : probe.x) x = 2 * random.uniform01() - 1;
  probe.product.resize(order * probes);
  const auto n = static_cast<Index>(order);
#pragma omp parallel for schedule(static, 16)
  for (Index i = 0; i < n; ++i) {
    const float* row = values.data() + static_cast<std::size_t>(i) * order;
    const Sums sums = products(row, probe.x.data(), probe.x.data(), 0, n);
    std::copy(sums.value.begin(), sums.value.end(), probe.product.begin() + i * static_cast<Index>(probes));
  }
  return probe;
}

// Compares element by element with factors in double precision. On a difference beyond its bound, says so in
// `check` and returns true.
bool differs_from_exact(const ExactFactors& exact, std::size_t n, const float* factors, std::size_t stride,
                        Check& check) {
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      const double got = factors[row * stride + column];
      const double wanted = exact.factors[row * n + column];
      const double bound = exact.bounds[row * n + column];
      if (std::abs(got - wanted) <= bound) continue;  // false for NaN
      check.max_error = std::abs(got - wanted);
      check.tolerance = bound;
      check.message = fmt::format("element ({}, {}) of {} is {}, wanted {} within {:.3g}", row, column,
                                  column < row ? "L" : "U", got, wanted, bound);
      return true;
    }
  }
  return false;
}

Check check_residual(const Probes& probe, std::size_t order, const float* factors, std::size_t stride) {
  const auto n = static_cast<Index>(order);
  std::vector<double> sizes(probe.x.size());
  std::transform(probe.x.begin(), probe.x.end(), sizes.begin(), [](double x) { return std::abs(x); });
  std::vector<double> upper(probe.x.size());
  std::vector<double> upper_sizes(probe.x.size());
  const auto row_of = [&](Index i) { return factors + static_cast<std::size_t>(i) * stride; };

#pragma omp parallel for schedule(static, 16)
  for (Index i = 0; i < n; ++i) {
    const Sums sums = products(row_of(i), probe.x.data(), sizes.data(), i, n);
    std::copy(sums.value.begin(), sums.value.end(), upper.begin() + i * static_cast<Index>(probes));
    std::copy(sums.magnitude.begin(), sums.magnitude.end(),
              upper_sizes.begin() + i * static_cast<Index>(probes));
  }

  struct Row {
    double error = 0;  // relative to the bound without gamma; infinite where it is not a number
    double residual = 0;
    double scale = 0;
  };
  std::vector<Row> rows(order);
#pragma omp parallel for schedule(static, 16)
  for (Index i = 0; i < n; ++i) {
    const Sums sums = products(row_of(i), upper.data(), upper_sizes.data(), 0, i);
    Row& worst = rows[static_cast<std::size_t>(i)];
    for (std::size_t p = 0; p < probes; ++p) {
      const std::size_t at = static_cast<std::size_t>(i) * probes + p;
      const double scale = sums.magnitude[p] + upper_sizes[at];
      const double residual = std::abs(sums.value[p] + upper[at] - probe.product[at]);
      double error = residual == 0 ? 0 : residual / scale;
      if (!std::isfinite(error)) error = std::numeric_limits<double>::infinity();
      if (error >= worst.error) worst = {error, residual, scale};
    }
  }

  const auto worst = std::max_element(
      rows.begin(), rows.end(), [](const Row& left, const Row& right) { return left.error < right.error; });
  Check check;
  check.max_error = worst->error;
  check.tolerance = factor_tolerance(order);
  check.ok = worst->error <= check.tolerance;
  if (check.ok) return check;
  check.message = fmt::format(
      "row {} of L (U x) - A x is {:.3g}, wanted 0 within {:.3g} ({:.3g} of |L||U||x|){}",
      worst - rows.begin(), worst->residual, worst->scale * check.tolerance, check.tolerance,
      std::isfinite(worst->error) ? "" : "; without pivoting no leading minor of the matrix may be zero");
  return check;
}

}  // namespace

double factor_tolerance(std::size_t order) {
  const double product = roundings(order) * 0x1p-24;
  return product / (1 - product);
}

Check FactorVerification::check(const float* factors, std::size_t stride) const {
  Check check;
  if (order_ <= exact_order && differs_from_exact(exact(), order_, factors, stride, check)) return check;
  std::call_once(probes_once_, [this] { probes_ = make_probes(values_, order_); });
  return check_residual(probes_, order_, factors, stride);
}

const ExactFactors& FactorVerification::exact() const {
  std::call_once(exact_once_, [this] { exact_ = exact_factors(values_, order_, factor_tolerance(order_)); });
  return exact_;
}

}  // namespace dwarfsweep

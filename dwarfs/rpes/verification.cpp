// The check of integrals against sums in double precision, with the error function of the C++ library. Shares
// no code with the kernels or with the host version. Of long lists, some integrals are computed, and all must
// be finite.
//
// The tolerance, with u = 2^-24. A term is t = K_ij K_kl r F0(x), r = 1 / sqrt(p + q), x = a R^2, a = p q /
// (p + q).
//   A coefficient's product, division and exponent's parts: K errs by 12 u, and by 10 u times the argument of
//     exp (its distance squared 5 u, its factors 5 u), and by the error of exp;
//   p + q and the product of all factors: 10 u, and the error of r;
//   P = (a_s r_i + a_t r_j) / p errs by 10 u times the largest |coordinate| m, so that R, of P and Q, does by
//     D = 20 sqrt(3) u m + u R; x errs by 12 u x + a (2 R D + D^2), and F0 by |F0'| = (F0 - exp(-x)) / (2 x)
//     times that;
//   F0 itself errs by that of the method, and by the root's for large x.
// The methods of F0, relative to it:
//   polynomials: 0.3 u between the points of interpolation, 4.5 u because coefficients are rounded, 3.7 u by
//     Horner's steps (twice that if they round twice), 3 u because the coordinate is rounded: 16 u;
//   table: 0.1 u for the series' rest, 2 u for the entries, 4 u for the steps: 8 u;
//   erf: OpenCL grants 16 ulp, 32 u, and 3 and 2.5 ulp for root and quotient: 48 u.
// The sum of n terms in any order adds n u sum |t|, screening n sqrt(1e-23), because F0 is at most 1, and
// what is flushed to zero n 1e-30.
#include "dwarfs/rpes/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/statistics/random.hpp"

namespace dwarfsweep::rpes {
namespace {

constexpr double unit = 0x1p-24;
constexpr double most_terms = 0x1p21;  // with at most this many terms in all, all integrals are compared
constexpr std::size_t least_samples = 200;

using Place = std::array<double, 3>;

double distance_squared(const Place& a, const Place& b) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  return sum;
}

// integral of exp(-x t^2), t = 0 .. 1.
double boys_function(double x) {
  if (x < 1e-4) return 1 - x / 3 + x * x / 10;
  return std::sqrt(std::numbers::pi / x) / 2 * std::erf(std::sqrt(x));
}

double derivative(double x) {
  return x < 1e-4 ? 1.0 / 3 : (boys_function(x) - std::exp(-x)) / (2 * x);
}

}  // namespace

RpesInput::Expected RpesInput::expected_of(std::size_t index) const {
  const Quartet atoms = quartets_[index];
  std::array<Place, 4> r{};
  double furthest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      r[i][axis] = centres_[3 * static_cast<std::size_t>(atoms[i]) + axis];
      furthest = std::max(furthest, std::abs(r[i][axis]));
    }
  }
  const auto middle = [](double a, const Place& at, double b, const Place& bt) {
    Place place{};
    for (std::size_t axis = 0; axis < 3; ++axis) place[axis] = (a * at[axis] + b * bt[axis]) / (a + b);
    return place;
  };
  Expected sum;
  sum.index = index;
  const std::size_t n = exponents_.size();
  for (std::size_t term = 0; term < terms(); ++term) {
    const std::size_t of[] = {term / (n * n * n), term / (n * n) % n, term / n % n, term % n};
    const double a = exponents_[of[0]], b = exponents_[of[1]], c = exponents_[of[2]], d = exponents_[of[3]];
    const double p = a + b, q = c + d;
    double factor = 2 * std::pow(std::numbers::pi, 2.5) / (p * q * std::sqrt(p + q));
    for (const std::size_t s : of) factor *= coefficients_[s];
    const double argument =
        a * b / p * distance_squared(r[0], r[1]) + c * d / q * distance_squared(r[2], r[3]);
    const double alpha = p * q / (p + q);
    const double square = distance_squared(middle(a, r[0], b, r[1]), middle(c, r[2], d, r[3]));
    const double x = alpha * square;
    const double boys = boys_function(x);
    const double value = factor * std::exp(-argument) * boys;
    const double apart = 20 * std::sqrt(3.0) * unit * furthest + unit * std::sqrt(square);
    const double of_x = 12 * unit * x + alpha * (2 * std::sqrt(square) * apart + apart * apart);
    sum.value += value;
    sum.magnitude += std::abs(value);
    sum.arguments += std::abs(value) * argument;
    sum.displacement += std::abs(value) * derivative(x) / boys * of_x;
  }
  return sum;
}

void RpesInput::compute_expected() const {
  const std::size_t count = quartets_.count();
  const double all = static_cast<double>(count) * static_cast<double>(terms());
  const auto samples = static_cast<std::size_t>(most_terms / static_cast<double>(terms()));
  Random random(seed_of_part(count, terms()));
  for (std::size_t i = 0; all <= most_terms ? i < count : i < std::max(samples, least_samples); ++i) {
    Expected expected;
    // The first and the last, and any.
    expected.index = all <= most_terms || i == 0 ? i : i == 1 ? count - 1 : random.below(count);
    expected_.push_back(expected);
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < expected_.size(); ++i) expected_[i] = expected_of(expected_[i].index);
}

double RpesInput::tolerance_of(const Expected& expected, const Method& method) const {
  const auto count = static_cast<double>(terms());
  const double relative =
      (2 * 12 + 10 + count) * unit + 2 * method.exponential + 2 * method.root + method.boys;
  return 1.01 * (relative * expected.magnitude + 10 * unit * expected.arguments + expected.displacement) +
         (method.screened ? count * 3.2e-12 : 0) + count * 1e-30;
}

Check RpesInput::check(std::span<const float> integrals, const Method& method) const {
  std::call_once(once_, [this] { compute_expected(); });
  Check check{true, 0, 0, ""};
  double worst = -1;  // error in units of its tolerance
  for (const Expected& expected : expected_) {
    const double found = integrals[expected.index];
    const double tolerance = tolerance_of(expected, method);
    const double error = std::abs(found - expected.value);
    if (!(error / tolerance <= worst)) {
      worst = error / tolerance;
      check.max_error = error;
      check.tolerance = tolerance;
    }
    if (error <= tolerance) continue;  // not so NaN
    const auto [i, j, k, l] = quartets_[expected.index];
    return {false, error, tolerance,
            fmt::format("integrals[{}], ({} {}|{} {}), is {}, expected {} +- {:.2g}", expected.index, i, j, k,
                        l, found, expected.value, tolerance)};
  }
  const auto bad =
      std::find_if(integrals.begin(), integrals.end(), [](float v) { return !std::isfinite(v); });
  if (bad != integrals.end())
    return {false, HUGE_VAL, 0, fmt::format("integrals[{}] is {}", bad - integrals.begin(), *bad)};
  return check;
}

}  // namespace dwarfsweep::rpes

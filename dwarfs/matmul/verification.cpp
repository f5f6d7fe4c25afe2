// The check of a matrix product. Shares no code with the kernels or with the host version.
//
// u = 2^-24 and w = 2^-53 are the unit roundoffs of float and double, gamma_k(u) bounds k roundings
// (roundoff.hpp).
//
// Elements. A sum of k products, in whatever order and with or without fused multiply-add, has an error of at
// most gamma_k(u) * sum |a||b| (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 3.1 and
// 3.5), and what is flushed to zero adds at most 2^-126 for each product and each sum. The first row, the
// last one and some between are compared with sums in double precision; of a small problem all are.
//
// The whole (R. Freivalds, "Probabilistic machines can use less running time", IFIP 1977). For a vector v,
// C v must be A (B v):
//   |C v - A (B v)| <= gamma_k(u) * |A| (|B| |v|) + flushed products,
// to which the two sides, which double precision computes with sums of n, n and k terms, add at most
//   gamma_(2n + k)(w) * (|A| (|B| |v|) + |C| |v|).
// v holds odd integers, so that no single wrong element is lost.
//
// Generated data are sharper: their elements are so coarse that every partial sum is a float, and elements
// have no error at all. Their products are multiples of some g with k <= 2^24 g, so that
// |A| (|B| |v|) <= 255 n k < 2^53 g for all n <= 2^20: in double precision C v and A (B v) are exact as well,
// and must be equal. One wrong bit in one element shows in a matrix of any size.
#include "dwarfs/matmul/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <tuple>
#include <utility>

#include "dwarfs/roundoff.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::matmul {
namespace {

constexpr std::int64_t products_to_compare = std::int64_t{1} << 27;

// The first, the last, and in between as many as the work allows.
std::vector<std::int64_t> rows_to_compare(const Shape& shape) {
  const std::int64_t affordable = products_to_compare / (shape.cols * shape.terms);
  const std::int64_t count = std::min(shape.rows, std::max<std::int64_t>(2, affordable));
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    rows.push_back(count == 1 ? 0 : i * (shape.rows - 1) / (count - 1));
  }
  return rows;
}

// sum of row[i] * x[i], and of the absolute values: |row[i]| * magnitudes[i].
template <typename Element>
std::pair<double, double> dot(const float* row, const Element* x, const double* magnitudes,
                              std::int64_t count) {
  double value = 0;
  double magnitude = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    value += static_cast<double>(row[i]) * x[i];
    magnitude += std::abs(static_cast<double>(row[i])) * magnitudes[i];
  }
  return {value, magnitude};
}

}  // namespace

void Verifier::sum_rows() const {
  constexpr std::int64_t block = 256;  // columns whose sums stay in the first-level cache
  const std::int64_t cols = operands_.shape.cols;
  const std::int64_t terms = operands_.shape.terms;
  rows_ = rows_to_compare(operands_.shape);
  sums_.resize(rows_.size() * static_cast<std::size_t>(cols));
#pragma omp parallel for schedule(static)
  for (std::int64_t begin = 0; begin < cols; begin += block) {
    const std::int64_t end = std::min(begin + block, cols);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      Sum* sums = sums_.data() + r * static_cast<std::size_t>(cols);
      for (std::int64_t i = 0; i < terms; ++i) {
        const double left = operands_.a[rows_[r] * terms + i];
        for (std::int64_t col = begin; col < end; ++col) {
          const double product = left * operands_.b[i * cols + col];
          sums[col].value += product;
          sums[col].magnitude += std::abs(product);
        }
      }
    }
  }
}

Verifier::Probe Verifier::make_probe(std::uint64_t seed) const {
  const Shape shape = operands_.shape;
  Random random(seed);
  Probe probe;
  probe.v.resize(static_cast<std::size_t>(shape.cols));
  for (double& element : probe.v) element = 2 * static_cast<double>(random.below(256)) - 255;
  std::vector<double> sizes(probe.v.size());
  std::transform(probe.v.begin(), probe.v.end(), sizes.begin(), [](double x) { return std::abs(x); });
  std::vector<double> inner(static_cast<std::size_t>(shape.terms));
  std::vector<double> inner_magnitude(inner.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < shape.terms; ++i) {
    std::tie(inner[i], inner_magnitude[i]) =
        dot(operands_.b.data() + i * shape.cols, probe.v.data(), sizes.data(), shape.cols);
  }
  probe.product.resize(static_cast<std::size_t>(shape.rows));
  probe.magnitude.resize(probe.product.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    std::tie(probe.product[row], probe.magnitude[row]) =
        dot(operands_.a.data() + row * shape.terms, inner.data(), inner_magnitude.data(), shape.terms);
  }
  return probe;
}

void Verifier::prepare() const {
  sum_rows();
  for (int i = 0; i < probes; ++i)
    probes_.push_back(make_probe(seed_of_part(static_cast<std::uint64_t>(i), 2)));
}

double Verifier::tolerance_of(const Sum& sum) const {
  if (operands_.exact) return 0;
  const auto terms = static_cast<double>(operands_.shape.terms);
  return rounding_bound(terms) * sum.magnitude + 2 * terms * FLT_MIN;
}

void Verifier::check_rows(std::span<const float> c, Check& check) const {
  const std::int64_t cols = operands_.shape.cols;
  double worst = -1;  // error in units of its tolerance
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const Sum& sum = sums_[i];
    if (sum.magnitude > FLT_MAX) continue;  // beyond the range of float nothing is promised
    const std::int64_t row = rows_[i / static_cast<std::size_t>(cols)];
    const std::int64_t col = static_cast<std::int64_t>(i) % cols;
    const float found = c[row * cols + col];
    const double tolerance = tolerance_of(sum);
    const double error = std::abs(found - sum.value);
    const double ratio = error == 0 ? 0 : error / tolerance;
    if (ratio > worst) {
      worst = ratio;
      check.max_error = error;
      check.tolerance = tolerance;
    }
    if (!(error <= tolerance) && check.ok) {  // NaN fails
      check.ok = false;
      check.message =
          fmt::format("c[{}][{}] is {}, wanted {} within {}", row, col, found, sum.value, tolerance);
    }
  }
}

double Verifier::tolerance_of_product(double magnitude, double found) const {
  if (operands_.exact) return 0;
  const Shape& shape = operands_.shape;
  const double flushed = 2 * static_cast<double>(shape.terms * shape.cols) * 255 * FLT_MIN;
  return rounding_bound(static_cast<double>(shape.terms)) * magnitude + flushed +
         rounding_bound(static_cast<double>(2 * shape.cols + shape.terms), 0x1p-53) * (magnitude + found);
}

void Verifier::check_probe(std::span<const float> c, const Probe& probe, Check& check) const {
  const Shape shape = operands_.shape;
  std::vector<double> sizes(probe.v.size());
  std::transform(probe.v.begin(), probe.v.end(), sizes.begin(), [](double x) { return std::abs(x); });
  std::vector<std::pair<double, double>> products(static_cast<std::size_t>(shape.rows));
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    products[row] = dot(c.data() + row * shape.cols, probe.v.data(), sizes.data(), shape.cols);
  }
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const double magnitude = probe.magnitude[row];
    if (magnitude > FLT_MAX) continue;  // nothing is promised, see check_rows
    const double tolerance = tolerance_of_product(magnitude, products[row].second);
    if (!(std::abs(products[row].first - probe.product[row]) <= tolerance)) {  // NaN fails
      check.ok = false;
      check.message = fmt::format("row {} of C times a vector is {}, wanted {} within {}", row,
                                  products[row].first, probe.product[row], tolerance);
      return;
    }
  }
}

Check Verifier::check(std::span<const float> c) const {
  std::call_once(prepared_, [this] { prepare(); });
  Check check;
  check.ok = true;
  check_rows(c, check);
  for (const Probe& probe : probes_) {
    if (check.ok) check_probe(c, probe, check);
  }
  return check;
}

}  // namespace dwarfsweep::matmul

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
#include "dwarfs/stencil_3d/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace dwarfsweep::stencil_3d {
namespace {

using Index = std::int64_t;

bool is_inner(Index i, Index count) {
  return i >= radius && i < count - radius;
}

// One step, row by row; From and To are float or double. The terms are added in the order of their distance
// along each axis in turn, which no kernel does.
template <typename From, typename To>
void make_step(const Grid& grid, const Coefficients& c, const std::vector<From>& from, std::vector<To>& to) {
  const Index strides[] = {1, grid.nx, grid.nx * grid.ny};
#pragma omp parallel for schedule(static)
  for (Index row = 0; row < grid.ny * grid.nz; ++row) {
    const From* before = from.data() + row * grid.nx;
    To* after = to.data() + row * grid.nx;
    const bool inner = is_inner(row % grid.ny, grid.ny) && is_inner(row / grid.ny, grid.nz);
    for (Index x = 0; x < grid.nx; ++x) {
      double value = before[x];
      if (inner && is_inner(x, grid.nx)) {
        value *= c[0];
        for (const Index stride : strides) {
          for (Index k = 1; k <= radius; ++k) {
            value += c[static_cast<std::size_t>(k)] * static_cast<double>(before[x - k * stride]);
            value += c[static_cast<std::size_t>(k)] * static_cast<double>(before[x + k * stride]);
          }
        }
      }
      after[x] = static_cast<To>(value);
    }
  }
}

template <typename T>
double largest_of(const std::vector<T>& values) {
  double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::size_t i = 0; i < values.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(values[i])));
  return largest;
}

// How the error of single precision grows by the steps; see the header.
class ErrorBound {
 public:
  explicit ErrorBound(const Coefficients& c) : sum_(std::abs(c[0])) {
    for (std::size_t k = 1; k < c.size(); ++k) sum_ += 6 * std::abs(c[k]);
  }
  void step(double largest) {
    constexpr double gamma = 26 * 0x1p-24 / (1 - 26 * 0x1p-24);
    error_ = sum_ * error_ + gamma * sum_ * (largest + error_) + 25 * FLT_MIN;
  }
  [[nodiscard]] double error() const { return error_; }

 private:
  double sum_;
  double error_ = 0;
};

double difference(float got, float wanted) {
  return std::abs(static_cast<double>(got) - static_cast<double>(wanted));
}

// The errors of a part of a row.
struct RowErrors {
  double largest = 0;
  Index wrong = 0;  // points whose error is not within what is allowed, as a NaN's is not

  void add(const RowErrors& other) {
    largest = std::max(largest, other.largest);
    wrong += other.wrong;
  }
};

RowErrors errors_of(const float* got, const float* wanted, Index begin, Index end, double allowed) {
  double largest = 0;
  Index wrong = 0;
#pragma omp simd reduction(max : largest) reduction(+ : wrong)
  for (Index x = begin; x < end; ++x) {
    const double error = difference(got[x], wanted[x]);
    largest = error > largest ? error : largest;
    wrong += error <= allowed ? 0 : 1;
  }
  return {largest, wrong};
}

}  // namespace

void Verifier::compute_expected() const {
  ErrorBound bound(coefficients_);
  bound.step(largest_of(values_));
  if (grid_.steps == 1) {
    expected_.resize(values_.size());
    make_step(grid_, coefficients_, values_, expected_);
  } else {
    std::vector<double> now(values_.size());
    std::vector<double> next(values_.size());
    make_step(grid_, coefficients_, values_, now);
    for (int i = 1; i < grid_.steps; ++i) {
      bound.step(largest_of(now));
      make_step(grid_, coefficients_, now, next);
      now.swap(next);
    }
    expected_.assign(now.begin(), now.end());
  }
  tolerance_ = bound.error() + 0x1p-24 * largest_of(expected_);
}

bool Verifier::is_inner_row(Index row) const {
  return is_inner(row % grid_.ny, grid_.ny) && is_inner(row / grid_.ny, grid_.nz);
}

std::string Verifier::first_wrong(Index row, const float* output) const {
  for (Index x = 0; x < grid_.nx; ++x) {
    const float wanted = expected_[static_cast<std::size_t>(row * grid_.nx + x)];
    const double error = difference(output[x], wanted);
    const double allowed = is_inner_row(row) && is_inner(x, grid_.nx) ? tolerance_ : 0;
    if (error <= allowed) continue;  // false for a NaN
    return fmt::format("point ({}, {}, {}): got {}, wanted {}, off by {:.3g} where {:.3g} is allowed", x,
                       row % grid_.ny, row / grid_.ny, output[x], wanted, error, allowed);
  }
  return {};
}

Check Verifier::check(std::span<const float> output, const Layout& layout) const {
  std::call_once(once_, [this] { compute_expected(); });
  const Index rows = grid_.ny * grid_.nz;
  double max_error = 0;
  Index wrong_row = rows;
#pragma omp parallel for schedule(static) reduction(max : max_error) reduction(min : wrong_row)
  for (Index row = 0; row < rows; ++row) {
    const float* got = output.data() + row * layout.stride + layout.left;
    const float* wanted = expected_.data() + row * grid_.nx;
    const Index inner_end = is_inner_row(row) ? grid_.nx - radius : radius;  // of the points from `radius` on
    RowErrors errors = errors_of(got, wanted, 0, radius, 0);
    errors.add(errors_of(got, wanted, radius, inner_end, tolerance_));
    errors.add(errors_of(got, wanted, inner_end, grid_.nx, 0));
    max_error = std::max(max_error, errors.largest);
    if (errors.wrong > 0) wrong_row = std::min(wrong_row, row);
  }
  Check check;
  check.ok = wrong_row == rows;
  check.tolerance = tolerance_;
  check.max_error = max_error;
  if (!check.ok)
    check.message = first_wrong(wrong_row, output.data() + wrong_row * layout.stride + layout.left);
  return check;
}

}  // namespace dwarfsweep::stencil_3d

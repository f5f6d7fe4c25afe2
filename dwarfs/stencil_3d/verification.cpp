#include "dwarfs/stencil_3d/verification.hpp"

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

Check Verifier::check(std::span<const float> output) const {
  std::call_once(once_, [this] { compute_expected(); });
  Check check;
  check.ok = true;
  check.tolerance = tolerance_;
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    const auto at = static_cast<Index>(i);
    const Index x = at % grid_.nx;
    const Index y = at / grid_.nx % grid_.ny;
    const Index z = at / (grid_.nx * grid_.ny);
    const bool inner = is_inner(x, grid_.nx) && is_inner(y, grid_.ny) && is_inner(z, grid_.nz);
    const double error = std::abs(static_cast<double>(output[i]) - static_cast<double>(expected_[i]));
    check.max_error = std::max(check.max_error, error);
    if (error <= (inner ? tolerance_ : 0)) continue;  // false for a NaN
    check.ok = false;
    check.message =
        fmt::format("point ({}, {}, {}): got {}, wanted {}, off by {:.3g} where {:.3g} is allowed", x, y, z,
                    output[i], expected_[i], error, inner ? tolerance_ : 0);
    break;
  }
  return check;
}

}  // namespace dwarfsweep::stencil_3d

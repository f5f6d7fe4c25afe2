#include "dwarfs/lud/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "dwarfs/x86_levels.hpp"
#include "harness/random.hpp"

namespace dwarfsweep {
namespace {

using Index = std::ptrdiff_t;  // what OpenMP's loops count in everywhere

// --- the check ---
//
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
  std::array<double, LudInput::probes> value{};
  std::array<double, LudInput::probes> magnitude{};
};

// row[begin, end) times the rows begin.. of `value` and `magnitude`, which are laid out as LudInput::Probes.
Sums products(const float* row, const double* value, const double* magnitude, Index begin, Index end) {
  Sums sums;
  for (Index j = begin; j < end; ++j) {
    const double element = row[j];
    const double size = std::abs(element);
    for (std::size_t p = 0; p < LudInput::probes; ++p) {
      sums.value[p] += element * value[static_cast<std::size_t>(j) * LudInput::probes + p];
      sums.magnitude[p] += size * magnitude[static_cast<std::size_t>(j) * LudInput::probes + p];
    }
  }
  return sums;
}

// Element by element against factors in double precision, for small orders. True where `check` is decided:
// wrong.
bool differs_from_exact(const LudInput& input, const float* factors, std::size_t stride, Check& check) {
  const std::size_t n = input.order();
  const LudInput::Exact& exact = input.exact();
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

void residual_check(const LudInput& input, const float* factors, std::size_t stride, Check& check) {
  constexpr std::size_t probes = LudInput::probes;
  const auto n = static_cast<Index>(input.order());
  const LudInput::Probes& probe = input.probe();
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
    double error = 0;  // relative to the bound without gamma; infinite where nothing finite can be said
    double residual = 0;
    double scale = 0;
  };
  std::vector<Row> rows(input.order());
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
  check.max_error = worst->error;
  check.tolerance = factor_tolerance(input.order());
  check.ok = worst->error <= check.tolerance;
  if (check.ok) return;
  check.message = fmt::format(
      "row {} of L (U x) - A x is {:.3g}, wanted 0 within {:.3g} ({:.3g} of |L||U||x|){}",
      worst - rows.begin(), worst->residual, worst->scale * check.tolerance, check.tolerance,
      std::isfinite(worst->error) ? "" : "; without pivoting no leading minor of the matrix may be zero");
}

// --- exact factors and their bounds ---

using Square = std::vector<double>;  // n x n, row-major

Square factor_in_double(const std::vector<float>& values, std::size_t n) {
  Square a(values.begin(), values.end());
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] /= a[k * n + k];
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return a;
}

// Which part of a square matrix there is; the rest counts as zero.
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
Square bounds_of_factors(const Square& factors, std::size_t n) {
  const Square lower = magnitudes(factors, n, Part::lower, true);
  const Square upper = magnitudes(factors, n, Part::upper, false);
  const Square lower_inverse = magnitudes(inverse_of_lower(factors, n), n, Part::lower, true);
  const Square upper_inverse = magnitudes(inverse_of_upper(factors, n), n, Part::upper, false);
  Square change = multiply(multiply(lower_inverse, lower, n), multiply(upper, upper_inverse, n), n);
  const double doubled = 2 * factor_tolerance(n);
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

// --- the factorisation of the host ---

constexpr Index panel_width = 64;
constexpr Index tile_rows = 8;
constexpr Index tile_columns = 16;
using Lanes = float __attribute__((vector_size(tile_columns * sizeof(float))));

// tile := tile - left * right, where `left` is packed depth x tile_rows and `right` depth x tile_columns.
FOR_EACH_X86_LEVEL void update_tile(const float* left, const float* right, Index depth, float* tile,
                                    Index stride) {
  Lanes sums[tile_rows] = {};
  for (Index k = 0; k < depth; ++k) {
    Lanes top;
    std::memcpy(&top, right + k * tile_columns, sizeof(top));
    for (Index r = 0; r < tile_rows; ++r) sums[r] += left[k * tile_rows + r] * top;
  }
  for (Index r = 0; r < tile_rows; ++r) {
    Lanes row;
    std::memcpy(&row, tile + r * stride, sizeof(row));
    row -= sums[r];
    std::memcpy(tile + r * stride, &row, sizeof(row));
  }
}

// Eliminates the first `count` elements of a row, `width` wide, with as many rows of a panel that are done.
FOR_EACH_X86_LEVEL void eliminate_row(float* row, const float* done, Index stride, Index count, Index width) {
  for (Index k = 0; k < count; ++k) {
    const float factor = row[k] /= done[k * stride + k];
    for (Index j = k + 1; j < width; ++j) row[j] -= factor * done[k * stride + j];
  }
}

// tile := L^-1 tile, where the tile is packed depth x tile_columns and L the unit lower triangle of `panel`.
FOR_EACH_X86_LEVEL void solve_tile(const float* panel, Index stride, Index depth, float* tile) {
  for (Index i = 1; i < depth; ++i) {
    Lanes row;
    std::memcpy(&row, tile + i * tile_columns, sizeof(row));
    for (Index k = 0; k < i; ++k) {
      Lanes solved;
      std::memcpy(&solved, tile + k * tile_columns, sizeof(solved));
      row -= panel[i * stride + k] * solved;
    }
    std::memcpy(tile + i * tile_columns, &row, sizeof(row));
  }
}

struct HostMatrix {
  float* values;
  Index order;

  [[nodiscard]] float* at(Index row, Index column) const { return values + row * order + column; }
};

// Eliminates columns [begin, end) in the rows from `begin` on; the panel is all it touches.
void factor_panel(const HostMatrix& a, Index begin, Index end) {
  const Index width = end - begin;
#pragma omp single
  for (Index row = begin + 1; row < end; ++row) {
    eliminate_row(a.at(row, begin), a.at(begin, begin), a.order, row - begin, width);
  }
#pragma omp for schedule(static, 16)
  for (Index row = end; row < a.order; ++row) {
    eliminate_row(a.at(row, begin), a.at(begin, begin), a.order, width, width);
  }
}

// The columns below the panel's diagonal block, packed in strips of tile_rows rows; missing rows are zeros.
void pack_strip(const HostMatrix& a, Index begin, Index end, Index first_row, float* packed) {
  for (Index r = 0; r < tile_rows; ++r) {
    for (Index k = begin; k < end; ++k) {
      packed[(k - begin) * tile_rows + r] = first_row + r < a.order ? *a.at(first_row + r, k) : 0;
    }
  }
}

// A tile that the matrix holds in part: by way of a whole one.
void update_partial_tile(const float* left, const float* right, Index depth, const HostMatrix& a, Index row,
                         Index column) {
  std::array<float, static_cast<std::size_t>(tile_rows * tile_columns)> whole{};
  const Index rows = std::min(tile_rows, a.order - row);
  const Index columns = std::min(tile_columns, a.order - column);
  for (Index r = 0; r < rows; ++r)
    std::copy_n(a.at(row + r, column), columns, whole.data() + r * tile_columns);
  update_tile(left, right, depth, whole.data(), tile_columns);
  for (Index r = 0; r < rows; ++r)
    std::copy_n(whole.data() + r * tile_columns, columns, a.at(row + r, column));
}

// Sixteen columns right of the panel: solves their part of U, then updates all below it.
void update_columns(const HostMatrix& a, Index begin, Index end, Index column, const float* packed_rows) {
  const Index columns = std::min(tile_columns, a.order - column);
  const Index depth = end - begin;
  std::array<float, static_cast<std::size_t>(panel_width * tile_columns)> top{};
  for (Index i = 0; i < depth; ++i) {
    std::copy_n(a.at(begin + i, column), columns, top.data() + i * tile_columns);
  }
  solve_tile(a.at(begin, begin), a.order, depth, top.data());
  for (Index i = 0; i < depth; ++i) {
    std::copy_n(top.data() + i * tile_columns, columns, a.at(begin + i, column));
  }
  for (Index row = end; row < a.order; row += tile_rows) {
    const float* left = packed_rows + (row - end) * depth;
    if (columns == tile_columns && row + tile_rows <= a.order) {
      update_tile(left, top.data(), depth, a.at(row, column), a.order);
    } else {
      update_partial_tile(left, top.data(), depth, a, row, column);
    }
  }
}

}  // namespace

double factor_tolerance(std::size_t order) {
  const double product = roundings(order) * 0x1p-24;
  return product / (1 - product);
}

const LudInput::Probes& LudInput::probe() const {
  std::call_once(probe_once_, [this] {
    Random random(seed_of_part(order_, 1));
    probe_.x.resize(order_ * probes);
    for (double& x : probe_.x) x = 2 * random.uniform01() - 1;
    probe_.product.resize(order_ * probes);
    const auto n = static_cast<Index>(order_);
#pragma omp parallel for schedule(static, 16)
    for (Index i = 0; i < n; ++i) {
      const float* row = values_.data() + static_cast<std::size_t>(i) * order_;
      const Sums sums = products(row, probe_.x.data(), probe_.x.data(), 0, n);
      std::copy(sums.value.begin(), sums.value.end(),
                probe_.product.begin() + i * static_cast<Index>(probes));
    }
  });
  return probe_;
}

const LudInput::Exact& LudInput::exact() const {
  std::call_once(exact_once_, [this] {
    exact_.factors = factor_in_double(values_, order_);
    exact_.bounds = bounds_of_factors(exact_.factors, order_);
  });
  return exact_;
}

std::shared_ptr<LudInput> random_matrix(std::size_t order, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(order * order);
  random.fill_uniform(values, -1, 1);
  std::vector<double> row_sums(order);
  std::vector<double> column_sums(order);
  for (std::size_t i = 0; i < order; ++i) {
    for (std::size_t j = 0; j < order; ++j) {
      const double size = i == j ? 0 : std::abs(values[i * order + j]);
      row_sums[i] += size;
      column_sums[j] += size;
    }
  }
  for (std::size_t i = 0; i < order; ++i) {
    float& diagonal = values[i * order + i];
    diagonal = std::copysign(static_cast<float>(1 + std::max(row_sums[i], column_sums[i])), diagonal);
  }
  return std::make_shared<LudInput>(order, std::move(values));
}

Check check_factors(const LudInput& input, const float* factors, std::size_t stride) {
  Check check;
  if (input.order() <= LudInput::exact_order && differs_from_exact(input, factors, stride, check))
    return check;
  residual_check(input, factors, stride, check);
  return check;
}

void factor_on_host(float* matrix, std::size_t order, int threads) {
  const HostMatrix a{matrix, static_cast<Index>(order)};
  std::vector<float> packed((order + tile_rows) * static_cast<std::size_t>(panel_width));
#pragma omp parallel num_threads(threads)
  for (Index begin = 0; begin < a.order; begin += panel_width) {
    const Index end = std::min(begin + panel_width, a.order);
    factor_panel(a, begin, end);
#pragma omp for schedule(static, 4)
    for (Index row = end; row < a.order; row += tile_rows) {
      pack_strip(a, begin, end, row, packed.data() + (row - end) * (end - begin));
    }
#pragma omp for schedule(dynamic, 1)
    for (Index column = end; column < a.order; column += tile_columns) {
      update_columns(a, begin, end, column, packed.data());
    }
  }
}

}  // namespace dwarfsweep

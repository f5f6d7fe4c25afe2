#include "dwarfs/fem/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/device/host.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::fem {
namespace {

// Sums of this size, times |x| <= 1, stay finite in single precision.
constexpr double largest_row = 1e38;

double sum_of_magnitudes(const SparseMatrix& matrix, std::size_t row) {
  double sum = 0;
  for (std::int64_t k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k)
    sum += std::abs(double{matrix.values[static_cast<std::size_t>(k)]});
  return sum;
}

class ProductHostCase final : public HostCase {
 public:
  ProductHostCase(std::shared_ptr<const ProductInput> input, int threads)
      : input_(std::move(input)), threads_(threads), y_(input_->x().size()) {}

  void run() override {
    const SparseMatrix& a = input_->matrix();
    const float* const x = input_->x().data();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::size_t row = 0; row < y_.size(); ++row) {
      float sum = 0;
      for (std::int64_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k)
        sum += a.values[static_cast<std::size_t>(k)] * x[a.columns[static_cast<std::size_t>(k)]];
      y_[row] = sum;
    }
  }

  [[nodiscard]] Check check() const override {
    return input_->check(y_);
  }

 private:
  std::shared_ptr<const ProductInput> input_;
  int threads_;
  std::vector<float> y_;
};

}  // namespace

// With u = 2^-24, a sum of n products, in whatever order and with or without fused operations, rounds each
// term at most n times: once as a product and in n - 1 sums. Terms that fill up blocks are 0 and round
// nothing. So y errs by at most 1.01 n u sum |a x|, and by what is flushed to zero: 2^-126 for each of the 2
// n operations.
Check ProductInput::check(std::span<const float> y) const {
  Check check{true, 0, 0, ""};
  for (std::size_t row = 0; row < x_.size(); ++row) {
    double wanted = 0;
    double magnitude = 0;
    const std::int64_t begin = matrix_.offsets[row];
    const std::int64_t end = matrix_.offsets[row + 1];
    for (std::int64_t k = begin; k < end; ++k) {
      const auto place = static_cast<std::size_t>(k);
      const double term =
          double{matrix_.values[place]} * double{x_[static_cast<std::size_t>(matrix_.columns[place])]};
      wanted += term;
      magnitude += std::abs(term);
    }
    const auto terms = static_cast<double>(end - begin);
    const double allowed = 1.01 * terms * 0x1p-24 * magnitude + 2 * terms * 0x1p-126;
    const double error = std::abs(y[row] - wanted);
    check.max_error = std::max(check.max_error, error);
    check.tolerance = std::max(check.tolerance, allowed);
    if (error <= allowed) continue;  // false for a NaN
    check.ok = false;
    check.message = fmt::format("y[{}]: got {}, wanted {}, off by {:.3g} where {:.3g} is allowed", row,
                                y[row], wanted, error, allowed);
    return check;
  }
  return check;
}

Loaded load_product(const DwarfInfo& info, const ValueMap& request, const std::string& file) {
  SparseMatrix matrix = read_sparse_matrix(file);
  if (matrix.rows != matrix.cols) {
    throw InputError(file, "",
                     fmt::format("the matrix has {} rows and {} columns; fem needs a square one", matrix.rows,
                                 matrix.cols));
  }
  // A block of 3 x 3 for each entry, at worst, with the copies of the device and of the host.
  require_host_memory(
      fmt::format("fem: a matrix of {} rows and {} entries", matrix.rows, matrix.values.size()),
      100 * matrix.values.size() + 200 * static_cast<std::uint64_t>(matrix.rows));
  for (std::size_t row = 0; row < static_cast<std::size_t>(matrix.rows); ++row) {
    if (!(sum_of_magnitudes(matrix, row) <= largest_row)) {
      throw InputError(file, "",
                       fmt::format("the absolute values of row {} sum to more than {:g}: single precision "
                                   "overflows",
                                   row + 1, largest_row));
    }
  }
  ValueMap values = with_found(info.name, request, "rows", matrix.rows, file);
  values = with_found(info.name, values, "steps", 1, "a product with a matrix");
  std::vector<float> x(static_cast<std::size_t>(matrix.rows));
  Random(1).fill_uniform(x, -1, 1);
  return {make_problem(info.name, info.keys, {"file", values}),
          std::make_shared<ProductInput>(std::move(matrix), std::move(x))};
}

std::unique_ptr<HostCase> make_product_host_case(std::shared_ptr<const ProductInput> input, int threads) {
  return std::make_unique<ProductHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::fem

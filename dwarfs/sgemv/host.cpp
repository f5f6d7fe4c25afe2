// Rows are divided among threads; four of them are processed together, so that x, or the sums, are read once
// for all four.
#include "dwarfs/sgemv/sgemv.hpp"

#include <algorithm>
#include <limits>

#include "dwarfs/x86_levels.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::sgemv {
namespace {

// Columns whose sums stay in the first-level cache (16 KiB).
constexpr std::int64_t columns_in_cache = 4096;

// sums[0 .. 4) of four rows with x, which is read once for all.
FOR_EACH_X86_LEVEL void dot_4_rows(const float* rows, std::int64_t stride, const float* x, std::int64_t count,
                                   float* sums) {
  float a = 0;
  float b = 0;
  float c = 0;
  float d = 0;
#pragma omp simd reduction(+ : a, b, c, d)
  for (std::int64_t k = 0; k < count; ++k) {
    a += rows[k] * x[k];
    b += rows[stride + k] * x[k];
    c += rows[2 * stride + k] * x[k];
    d += rows[3 * stride + k] * x[k];
  }
  sums[0] = a;
  sums[1] = b;
  sums[2] = c;
  sums[3] = d;
}

FOR_EACH_X86_LEVEL float dot(const float* row, const float* x, std::int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t k = 0; k < count; ++k) sum += row[k] * x[k];
  return sum;
}

// sums += four rows scaled by x[0 .. 4): the sums are read and written once for all.
FOR_EACH_X86_LEVEL void add_4_rows(const float* rows, std::int64_t stride, const float* x, std::int64_t count,
                                   float* sums) {
#pragma omp simd
  for (std::int64_t k = 0; k < count; ++k) {
    sums[k] +=
        rows[k] * x[0] + rows[stride + k] * x[1] + rows[2 * stride + k] * x[2] + rows[3 * stride + k] * x[3];
  }
}

FOR_EACH_X86_LEVEL void add_row(const float* row, float factor, std::int64_t count, float* sums) {
#pragma omp simd
  for (std::int64_t k = 0; k < count; ++k) sums[k] += factor * row[k];
}

class MatrixHostCase final : public HostCase {
 public:
  MatrixHostCase(std::shared_ptr<const SgemvInput> input, int threads)
      : input_(std::move(input)),
        operands_(input_->operands()),
        shape_(operands_.shape),
        threads_(threads),
        y_(static_cast<std::size_t>(shape_.outputs())) {
    if (shape_.transposed) partial_.resize(y_.size() * static_cast<std::size_t>(threads));
  }

  void reset() override { std::fill(y_.begin(), y_.end(), std::numeric_limits<float>::quiet_NaN()); }

  void run() override {
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
      // Shares of a multiple of 4 rows; the rows left at the end are processed one by one.
      const std::int64_t share = round_up(ceil_div(shape_.rows, threads_), 4);
      const std::int64_t begin = std::min(shape_.rows, thread * share);
      const std::int64_t end = std::min(shape_.rows, begin + share);
      if (shape_.transposed) {
        add_share(begin, end, partial_.data() + thread * shape_.cols);
      } else {
        multiply_share(begin, end);
      }
    }
    if (!shape_.transposed) return;
    for (std::int64_t col = 0; col < shape_.cols; ++col) {
      float sum = 0;
      for (int thread = 0; thread < threads_; ++thread) sum += partial_[thread * shape_.cols + col];
      finish(col, sum);
    }
  }

  [[nodiscard]] Check check() const override {
    return input_->check(y_);
  }

 private:
  void finish(std::int64_t output, float sum) {
    const float scaled = shape_.alpha == 0 ? 0 : shape_.alpha * sum;
    y_[output] = shape_.beta == 0 ? scaled : scaled + shape_.beta * operands_.y_in[output];
  }

  void multiply_share(std::int64_t begin, std::int64_t end) {
    std::int64_t row = begin;
    for (; row + 4 <= end; row += 4) {
      float sums[4];
      dot_4_rows(operands_.matrix.data() + row * shape_.row_stride, shape_.row_stride, operands_.x.data(),
                 shape_.cols, sums);
      for (int i = 0; i < 4; ++i) finish(row + i, sums[i]);
    }
    for (; row < end; ++row) {
      finish(row, dot(operands_.matrix.data() + row * shape_.row_stride, operands_.x.data(), shape_.cols));
    }
  }

  // In blocks of columns whose sums stay in the first-level cache.
  void add_share(std::int64_t begin, std::int64_t end, float* sums) {
    std::fill_n(sums, shape_.cols, 0.0F);
    for (std::int64_t col = 0; col < shape_.cols; col += columns_in_cache) {
      const std::int64_t width = std::min(columns_in_cache, shape_.cols - col);
      std::int64_t row = begin;
      for (; row + 4 <= end; row += 4) {
        add_4_rows(operands_.matrix.data() + row * shape_.row_stride + col, shape_.row_stride,
                   operands_.x.data() + row, width, sums + col);
      }
      for (; row < end; ++row) {
        add_row(operands_.matrix.data() + row * shape_.row_stride + col, operands_.x[row], width, sums + col);
      }
    }
  }

  std::shared_ptr<const SgemvInput> input_;
  const Operands& operands_;
  const Shape& shape_;
  int threads_;
  std::vector<float> y_;
  std::vector<float> partial_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SgemvInput> input, int threads) {
  return std::make_unique<MatrixHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::sgemv

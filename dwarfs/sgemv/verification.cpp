#include "dwarfs/sgemv/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "dwarfs/x86_levels.hpp"
#include "harness/error.hpp"
#include "harness/random.hpp"
#include "harness/status.hpp"

namespace dwarfsweep::sgemv {

Shape shape_of(const Problem& problem) {
  Shape shape;
  shape.rows = problem.integer("m");
  shape.cols = problem.integer("n");
  shape.row_stride = problem.integer("lda") == 0 ? shape.cols : problem.integer("lda");
  shape.transposed = problem.integer("transposed") == 1;
  shape.alpha = static_cast<float>(problem.real("alpha"));
  shape.beta = static_cast<float>(problem.real("beta"));
  if (shape.row_stride < shape.cols) {
    throw UsageError(fmt::format("sgemv: problem key 'lda' is {}, but must be 0 or at least n, which is {}",
                                 shape.row_stride, shape.cols));
  }
  return shape;
}

MatrixInput::MatrixInput(const Shape& its_shape) : shape(its_shape) {
  try {
    matrix.assign(static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.row_stride),
                  std::numeric_limits<float>::quiet_NaN());
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw PointFailure(
        Status::out_of_memory,
        fmt::format("sgemv: a matrix of {} rows of {} elements, {} bytes, does not fit the host's memory",
                    shape.rows, shape.row_stride, 4 * shape.rows * shape.row_stride));
  }
}

// Elements are odd multiples of 2^-bits in (-1, 1): none is zero, so that every one matters. A product is a
// quarter on average; the longer the sums, the coarser the elements, so that sum |a||x| stays below 2^24
// grains.
void MatrixInput::fill_matrix(std::uint64_t seed) {
  int bits = 7;
  const auto grain_of = [](int its_bits) { return std::ldexp(0x1p-3, -its_bits); };
  while (bits > 1 && 0.26 * static_cast<double>(shape.terms()) > 0x1p24 * grain_of(bits)) --bits;
  const float unit = std::ldexp(1.0F, -bits);
  Random random(seed_of_part(seed, 0));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(shape.cols));
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    random.fill_bytes(bytes);
    float* elements = matrix.data() + row * shape.row_stride;
    for (std::int64_t col = 0; col < shape.cols; ++col) {
      const int odd = (bytes[static_cast<std::size_t>(col)] >> (7 - bits)) | 1;
      elements[col] = static_cast<float>(odd - (1 << bits)) * unit;
    }
  }
  grain = grain_of(bits);
}

// x: odd multiples of 1/8 in (-1, 1). y_in: any floats in [-1, 1).
void MatrixInput::fill_vectors(std::uint64_t seed) {
  Random random(seed_of_part(seed, 1));
  x.resize(static_cast<std::size_t>(shape.terms()));
  for (float& element : x) {
    element = static_cast<float>(2 * static_cast<std::int64_t>(random.below(8)) - 7) * 0x1p-3F;
  }
  y_in.resize(static_cast<std::size_t>(shape.outputs()));
  random.fill_uniform(y_in, -1, 1);
}

const std::vector<Sum>& MatrixInput::sums() const {
  std::call_once(summed_, [this] { compute_sums(); });
  return sums_;
}

void MatrixInput::compute_sums() const {
  sums_.resize(static_cast<std::size_t>(shape.outputs()));
  // Blocks of outputs: one row of plain A, or a stretch of columns of transposed A that stays in cache.
  const std::int64_t block = shape.transposed ? 512 : 1;
  const std::int64_t blocks = ceil_div(shape.outputs(), block);
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t begin = b * block;
    const std::int64_t end = std::min(begin + block, shape.outputs());
    for (std::int64_t k = 0; k < shape.terms(); ++k) {
      for (std::int64_t output = begin; output < end; ++output) {
        const std::int64_t at =
            shape.transposed ? k * shape.row_stride + output : output * shape.row_stride + k;
        const double product = static_cast<double>(matrix[at]) * x[k];
        sums_[output].value += product;
        sums_[output].magnitude += std::abs(product);
      }
    }
  }
}

namespace {

double gamma(double roundings) {
  const double unit = 0x1p-24;
  return roundings * unit / (1 - roundings * unit);
}

// How far `y` may be from alpha * sum + beta * y_in; see the header.
double tolerance_of(const MatrixInput& input, const Sum& sum, double y_in) {
  const double alpha = std::abs(input.shape.alpha);
  const double added = input.shape.beta == 0 ? 0 : std::abs(input.shape.beta * y_in);
  const auto terms = static_cast<double>(input.shape.terms());
  const double subnormals = (terms + 3) * std::max(1.0, alpha) * FLT_MIN;
  if (input.grain > 0 && sum.magnitude < 0x1p24 * input.grain) {
    return gamma(3) * (alpha * std::abs(sum.value) + added) + 3 * static_cast<double>(FLT_MIN);
  }
  return gamma(terms + 3) * (alpha * sum.magnitude + added) + subnormals;
}

}  // namespace

Check compare(const MatrixInput& input, const std::vector<float>& y) {
  Check check;
  check.ok = true;
  double worst = 0;  // error in units of its tolerance
  const std::vector<Sum>& sums = input.sums();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double added = input.shape.beta == 0 ? 0 : static_cast<double>(input.shape.beta) * input.y_in[i];
    const double wanted = (input.shape.alpha == 0 ? 0 : input.shape.alpha * sums[i].value) + added;
    const double tolerance = tolerance_of(input, sums[i], input.y_in[i]);
    // Where an intermediate value may leave the range of float, nothing is promised.
    if (std::max(1.0F, std::abs(input.shape.alpha)) * sums[i].magnitude + std::abs(added) > FLT_MAX) continue;
    const double error = std::abs(y[i] - wanted);
    if (error / tolerance > worst || (i == 0 && error <= tolerance)) {
      worst = error / tolerance;
      check.max_error = error;
      check.tolerance = tolerance;
    }
    if (!(error <= tolerance) && check.ok) {  // NaN fails
      check.ok = false;
      check.message = fmt::format("y[{}] is {}, wanted {} within {}", i, y[i], wanted, tolerance);
    }
  }
  return check;
}

namespace {

// Columns whose sums stay in the first-level cache (16 KiB).
constexpr std::int64_t columns_in_cache = 4096;

// As wide as the machine can: the loops below are vectorised per target.
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
  MatrixHostCase(std::shared_ptr<const MatrixInput> input, int threads)
      : input_(std::move(input)),
        shape_(input_->shape),
        threads_(threads),
        y_(static_cast<std::size_t>(shape_.outputs())) {
    if (shape_.transposed) partial_.resize(y_.size() * static_cast<std::size_t>(threads));
  }

  void reset() override { std::fill(y_.begin(), y_.end(), std::numeric_limits<float>::quiet_NaN()); }

  void run() override {
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
      // Shares of a multiple of 4 rows: what is left over at the end goes row by row.
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
    return compare(*input_, y_);
  }

 private:
  void finish(std::int64_t output, float sum) {
    const float scaled = shape_.alpha == 0 ? 0 : shape_.alpha * sum;
    y_[output] = shape_.beta == 0 ? scaled : scaled + shape_.beta * input_->y_in[output];
  }

  void multiply_share(std::int64_t begin, std::int64_t end) {
    std::int64_t row = begin;
    for (; row + 4 <= end; row += 4) {
      float sums[4];
      dot_4_rows(input_->matrix.data() + row * shape_.row_stride, shape_.row_stride, input_->x.data(),
                 shape_.cols, sums);
      for (int i = 0; i < 4; ++i) finish(row + i, sums[i]);
    }
    for (; row < end; ++row) {
      finish(row, dot(input_->matrix.data() + row * shape_.row_stride, input_->x.data(), shape_.cols));
    }
  }

  // In stretches of columns whose sums stay in the first-level cache.
  void add_share(std::int64_t begin, std::int64_t end, float* sums) {
    std::fill_n(sums, shape_.cols, 0.0F);
    for (std::int64_t col = 0; col < shape_.cols; col += columns_in_cache) {
      const std::int64_t width = std::min(columns_in_cache, shape_.cols - col);
      std::int64_t row = begin;
      for (; row + 4 <= end; row += 4) {
        add_4_rows(input_->matrix.data() + row * shape_.row_stride + col, shape_.row_stride,
                   input_->x.data() + row, width, sums + col);
      }
      for (; row < end; ++row) {
        add_row(input_->matrix.data() + row * shape_.row_stride + col, input_->x[row], width, sums + col);
      }
    }
  }

  std::shared_ptr<const MatrixInput> input_;
  const Shape& shape_;
  int threads_;
  std::vector<float> y_;
  std::vector<float> partial_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const MatrixInput> input, int threads) {
  return std::make_unique<MatrixHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::sgemv

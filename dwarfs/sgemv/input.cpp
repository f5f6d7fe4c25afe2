#include "dwarfs/sgemv/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "harness/formats/matrix.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

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

Operands::Operands(const Shape& its_shape) : shape(its_shape) {
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

// Elements are odd multiples of 2^-bits in (-1, 1): none is zero, so that each of them changes the result. A
// product is a quarter on average; the longer the sums, the coarser the elements, so that sum |a||x| stays
// below 2^24 grains.
void Operands::fill_matrix(std::uint64_t seed) {
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
void Operands::fill_vectors(std::uint64_t seed) {
  Random random(seed_of_part(seed, 1));
  x.resize(static_cast<std::size_t>(shape.terms()));
  for (float& element : x) {
    element = static_cast<float>(2 * static_cast<std::int64_t>(random.below(8)) - 7) * 0x1p-3F;
  }
  y_in.resize(static_cast<std::size_t>(shape.outputs()));
  random.fill_uniform(y_in, -1, 1);
}

std::shared_ptr<const SgemvInput> generate_operands(const Shape& shape, std::uint64_t seed) {
  Operands operands(shape);
  operands.fill_matrix(seed);
  operands.fill_vectors(seed);
  return std::make_shared<SgemvInput>(std::move(operands));
}

Loaded load_matrix(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 1);
  const Matrix matrix = read_matrix(files.front());
  ValueMap values = with_found(info.name, request, "m", matrix.rows, files.front());
  values = with_found(info.name, values, "n", matrix.cols, files.front());
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  Operands operands(shape_of(problem));
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    std::copy_n(matrix.values.begin() + row * matrix.cols, matrix.cols,
                operands.matrix.begin() + row * operands.shape.row_stride);
  }
  operands.fill_vectors(1);
  return {std::move(problem), std::make_shared<SgemvInput>(std::move(operands))};
}

}  // namespace dwarfsweep::sgemv

#include "dwarfs/matmul/input.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <utility>

#include "harness/formats/matrix.hpp"
#include "harness/formats/npy.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::matmul {

namespace {

// Odd multiples of 2^-bits in (-1, 1): none is zero, so that each of them changes the result.
void fill(std::vector<float>& elements, int bits, std::uint64_t seed) {
  const float unit = std::ldexp(1.0F, -bits);
  std::vector<std::uint8_t> bytes(elements.size());
  Random(seed).fill_bytes(bytes);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const int odd = (bytes[i] >> (7 - bits)) | 1;
    elements[i] = static_cast<float>(odd - (1 << bits)) * unit;
  }
}

}  // namespace

Shape shape_of(const Problem& problem) {
  return {problem.integer("m"), problem.integer("n"), problem.integer("k")};
}

// All products are multiples of 2^-2 bits, and a sum of their absolute values is below the number of terms:
// the longer the sums, the coarser the elements, so that it is below 2^24 such multiples. From 2^22 terms on
// the signs see to that (random_sums_are_exact() in roundoff.hpp, for any sum that memory can hold).
Operands random_operands(const Shape& shape, std::uint64_t seed) {
  int bits = 7;
  while (bits > 1 && static_cast<double>(shape.terms) > std::ldexp(1.0, 24 - 2 * bits)) --bits;
  Operands operands{shape, {}, {}, true};
  try {
    operands.a.resize(static_cast<std::size_t>(shape.rows * shape.terms));
    operands.b.resize(static_cast<std::size_t>(shape.terms * shape.cols));
    fill(operands.a, bits, seed_of_part(seed, 0));
    fill(operands.b, bits, seed_of_part(seed, 1));
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw PointFailure(
        Status::out_of_memory,
        fmt::format(
            "matmul: matrices of {} x {} and {} x {} elements, {} bytes, do not fit the host's memory",
            shape.rows, shape.terms, shape.terms, shape.cols,
            4 * (shape.rows * shape.terms + shape.terms * shape.cols)));
  }
  return operands;
}

namespace {

Matrix read_npy_matrix(const std::string& file) {
  NpyFloats array = read_npy_floats(file);
  if (array.shape.size() != 2 || array.values.empty()) {
    throw InputError(file, "", "matmul needs an array of floats with two dimensions, rows and columns");
  }
  return {array.shape[0], array.shape[1], std::move(array.values)};
}

Matrix read_operand(const std::string& file) {
  return file.ends_with(".npy") ? read_npy_matrix(file) : read_matrix(file);
}

}  // namespace

Loaded load_operands(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 2);
  Matrix a = read_operand(files[0]);
  Matrix b = read_operand(files[1]);
  if (a.cols != b.rows) {
    throw UsageError(fmt::format("matmul: {} has {} columns and {} has {} rows; these must be as many",
                                 files[0], a.cols, files[1], b.rows));
  }
  ValueMap values = with_found(info.name, request, "m", a.rows, files[0]);
  values = with_found(info.name, values, "k", a.cols, files[0]);
  values = with_found(info.name, values, "n", b.cols, files[1]);
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  Operands operands{shape_of(problem), std::move(a.values), std::move(b.values), false};
  return {std::move(problem), std::make_shared<MatmulInput>(std::move(operands))};
}

}  // namespace dwarfsweep::matmul

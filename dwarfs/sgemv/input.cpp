#include "dwarfs/sgemv/input.hpp"

#include <algorithm>

#include "harness/formats/matrix.hpp"

namespace dwarfsweep::sgemv {

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

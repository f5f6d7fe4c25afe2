#include "dwarfs/matmul/input.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/formats/matrix.hpp"
#include "harness/formats/npy.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep::matmul {
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

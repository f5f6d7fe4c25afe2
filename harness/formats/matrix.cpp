#include "harness/formats/matrix.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "harness/error.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/formats/matrix_market.hpp"
#include "harness/formats/token_reader.hpp"

namespace dwarfsweep {
namespace {

// Two of them multiply within 64 bits.
constexpr std::int64_t longest_edge = std::numeric_limits<std::int32_t>::max();
constexpr std::string_view element = "a matrix element";

Matrix read_dat(TokenReader tokens) {
  Matrix matrix;
  matrix.rows = matrix.cols = tokens.integer("the matrix size n", 1, longest_edge);
  const std::int64_t count = matrix.rows * matrix.cols;
  tokens.require_room(count, 1, "matrix elements");
  matrix.values.reserve(count);
  for (std::int64_t index = 0; index < count; ++index) matrix.values.push_back(tokens.number(element));
  tokens.expect_end("the last matrix element");
  return matrix;
}

Matrix read_market_array(TokenReader tokens) {
  const MarketHeader header = read_market_header(tokens, "array", {"real", "integer"});
  Matrix matrix;
  matrix.rows = tokens.integer("the number of rows", 1, longest_edge);
  matrix.cols = tokens.integer("the number of columns", 1, longest_edge);
  if (header.symmetric && matrix.rows != matrix.cols) {
    tokens.fail_expecting(fmt::format("{} columns, as a symmetric matrix is square", matrix.rows));
  }
  const std::int64_t listed =
      header.symmetric ? matrix.rows * (matrix.rows + 1) / 2 : matrix.rows * matrix.cols;
  tokens.require_room(listed, 1, "matrix elements");
  matrix.values.resize(matrix.rows * matrix.cols);
  for (std::int64_t col = 0; col < matrix.cols; ++col) {
    for (std::int64_t row = header.symmetric ? col : 0; row < matrix.rows; ++row) {
      const float value = tokens.number(element);
      matrix.values[row * matrix.cols + col] = value;
      if (header.symmetric) matrix.values[col * matrix.cols + row] = value;
    }
  }
  tokens.expect_end("the last matrix element");
  return matrix;
}

}  // namespace

Matrix read_matrix(std::string_view bytes, const std::string& name) {
  const TokenReader tokens(bytes, name);
  return is_matrix_market(bytes, name) ? read_market_array(tokens) : read_dat(tokens);
}

Matrix read_matrix(const std::filesystem::path& file) {
  return read_matrix(FileText(file).view(), file.string());
}

Matrix read_grid(std::string_view bytes, const std::string& name, std::optional<GridShape> shape) {
  TokenReader tokens(bytes, name);
  Matrix grid;
  while (tokens.next()) grid.values.push_back(tokens.as_number("a grid value"));
  const auto count = static_cast<std::int64_t>(grid.values.size());
  if (count == 0) tokens.fail_expecting("a grid value");
  if (!shape) {
    const std::int64_t edge = std::llround(std::sqrt(static_cast<double>(count)));
    if (edge * edge != count) {
      throw InputError(name, "",
                       fmt::format("holds {} values, which is no square number; give rows and cols", count));
    }
    shape = GridShape{edge, edge};
  }
  if (shape->rows < 1 || count % shape->rows != 0 || count / shape->rows != shape->cols) {
    throw InputError(name, "",
                     fmt::format("expected {} rows x {} cols of values, found {} values", shape->rows,
                                 shape->cols, count));
  }
  grid.rows = shape->rows;
  grid.cols = shape->cols;
  return grid;
}

Matrix read_grid(const std::filesystem::path& file, std::optional<GridShape> shape) {
  return read_grid(FileText(file).view(), file.string(), shape);
}

}  // namespace dwarfsweep

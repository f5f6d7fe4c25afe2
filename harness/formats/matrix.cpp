#include "harness/formats/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/space/error.hpp"

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

// A file that names few elements must not ask for all memory.
void require_memory(const TokenReader& tokens, std::int64_t elements, std::size_t file_bytes) {
  const std::int64_t limit = std::max<std::int64_t>(1 << 24, 64 * static_cast<std::int64_t>(file_bytes));
  if (elements > limit) {
    tokens.fail(fmt::format("{} matrix elements are more than the {} allowed in a file of {} bytes", elements,
                            limit, file_bytes));
  }
}

/// Elements as they are listed, together with those above the diagonal that follow from them.
class MarketElements {
 public:
  MarketElements(const MarketHeader& header, Matrix& matrix) : header_(header), matrix_(matrix) {
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.cols));
  }

  void add(std::int64_t row, std::int64_t col, float value) {
    matrix_.values[row * matrix_.cols + col] += value;
    if (header_.mirrors() && row != col)
      matrix_.values[col * matrix_.cols + row] += header_.is_skew() ? -value : value;
  }

 private:
  const MarketHeader& header_;
  Matrix& matrix_;
};

// Column by column; of a symmetric matrix from the diagonal down, of a skew-symmetric one from below it.
void read_market_array(TokenReader& tokens, const MarketHeader& header, Matrix& matrix) {
  const std::int64_t triangle = header.is_skew() ? matrix.rows - 1 : matrix.rows + 1;
  tokens.require_room(header.mirrors() ? matrix.rows * triangle / 2 : matrix.rows * matrix.cols, 1,
                      "matrix elements");
  MarketElements elements(header, matrix);
  for (std::int64_t col = 0; col < matrix.cols; ++col) {
    const std::int64_t first = !header.mirrors() ? 0 : header.is_skew() ? col + 1 : col;
    for (std::int64_t row = first; row < matrix.rows; ++row) elements.add(row, col, tokens.number(element));
  }
}

// Calls add(row, column, value) for each entry as it is listed; of a pattern all values are one.
template <typename Add>
void read_entries(TokenReader& tokens, const MarketHeader& header, std::int64_t rows, std::int64_t cols,
                  Add add) {
  const bool has_values = header.field != "pattern";
  const std::int64_t entries =
      tokens.integer("the number of entries", 0, std::numeric_limits<std::int64_t>::max());
  tokens.require_room(entries, has_values ? 3 : 2, "entries");
  for (std::int64_t entry = 0; entry < entries; ++entry) {
    const std::int64_t row = tokens.integer("an entry's row", 1, rows);
    const std::int64_t col = tokens.integer("an entry's column", 1, cols);
    add(row - 1, col - 1, has_values ? tokens.number(element) : 1);
  }
  tokens.expect_end("the last matrix element");
}

// Rows and columns, of a matrix of either kind.
template <typename AnyMatrix>
void read_shape(TokenReader& tokens, const MarketHeader& header, AnyMatrix& matrix) {
  matrix.rows = tokens.integer("the number of rows", 1, longest_edge);
  matrix.cols = tokens.integer("the number of columns", 1, longest_edge);
  if (header.mirrors() && matrix.rows != matrix.cols) {
    tokens.fail_expecting(fmt::format("{} columns, as a {} matrix is square", matrix.rows, header.symmetry));
  }
}

MarketHeader read_header(TokenReader& tokens, const std::vector<std::string_view>& layouts) {
  return read_market_header(
      tokens, {layouts, {"real", "integer", "pattern"}, {"general", "symmetric", "skew-symmetric"}});
}

Matrix read_market(TokenReader tokens, std::size_t file_bytes) {
  const MarketHeader header = read_header(tokens, {"array", "coordinate"});
  const bool lists_all = header.layout == "array";
  if (lists_all && header.field == "pattern") tokens.fail("an array has values and is no pattern");
  Matrix matrix;
  read_shape(tokens, header, matrix);
  if (lists_all) {
    read_market_array(tokens, header, matrix);
    tokens.expect_end("the last matrix element");
    return matrix;
  }
  // Elements that are not listed are zero, those that are listed several times are sums.
  require_memory(tokens, matrix.rows * matrix.cols, file_bytes);
  MarketElements elements(header, matrix);
  read_entries(tokens, header, matrix.rows, matrix.cols,
               [&](std::int64_t row, std::int64_t col, float value) { elements.add(row, col, value); });
  return matrix;
}

struct Entry {
  std::int32_t row, col;
  float value;
};

SparseMatrix compressed(std::int64_t rows, std::int64_t cols, std::vector<Entry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  });
  SparseMatrix matrix{rows, cols, {}, {}, {}};
  matrix.offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  const Entry* before = nullptr;
  for (const Entry& entry : entries) {
    if (before != nullptr && before->row == entry.row && before->col == entry.col) {
      matrix.values.back() += entry.value;
      continue;
    }
    ++matrix.offsets[static_cast<std::size_t>(entry.row) + 1];
    matrix.columns.push_back(entry.col);
    matrix.values.push_back(entry.value);
    before = &entry;
  }
  std::partial_sum(matrix.offsets.begin(), matrix.offsets.end(), matrix.offsets.begin());
  return matrix;
}

}  // namespace

Matrix read_matrix(std::string_view bytes, const std::string& name) {
  const TokenReader tokens(bytes, name);
  return is_matrix_market(bytes, name) ? read_market(tokens, bytes.size()) : read_dat(tokens);
}

Matrix read_matrix(const std::filesystem::path& file) {
  return read_matrix(read_text(file), file.string());
}

SparseMatrix read_sparse_matrix(std::string_view bytes, const std::string& name) {
  TokenReader tokens(bytes, name);
  const MarketHeader header = read_header(tokens, {"coordinate"});
  SparseMatrix shape;
  read_shape(tokens, header, shape);
  const std::int64_t limit = std::max<std::int64_t>(1 << 20, static_cast<std::int64_t>(bytes.size()));
  if (shape.rows > limit) {
    tokens.fail(fmt::format("{} rows are more than the {} allowed in a file of {} bytes", shape.rows, limit,
                            bytes.size()));
  }
  std::vector<Entry> entries;
  read_entries(tokens, header, shape.rows, shape.cols, [&](std::int64_t row, std::int64_t col, float value) {
    const auto i = static_cast<std::int32_t>(row);
    const auto j = static_cast<std::int32_t>(col);
    entries.push_back({i, j, value});
    if (header.mirrors() && i != j) entries.push_back({j, i, header.is_skew() ? -value : value});
  });
  return compressed(shape.rows, shape.cols, std::move(entries));
}

SparseMatrix read_sparse_matrix(const std::filesystem::path& file) {
  return read_sparse_matrix(read_text(file), file.string());
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
  return read_grid(read_text(file), file.string(), shape);
}

}  // namespace dwarfsweep

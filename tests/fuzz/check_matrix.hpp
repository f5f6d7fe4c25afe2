// What read_matrix, read_grid and read_sparse_matrix promise of a matrix.
#pragma once

#include <cmath>

#include "harness/formats/matrix.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace dwarfsweep::fuzz {

inline void check_matrix(const Matrix& matrix) {
  require(matrix.rows >= 1 && matrix.cols >= 1);
  require(matrix.rows * matrix.cols == static_cast<std::int64_t>(matrix.values.size()));
  for (const float value : matrix.values) require(std::isfinite(value));
}

inline void check_sparse(const SparseMatrix& matrix) {
  require(matrix.rows >= 1 && matrix.cols >= 1);
  require(static_cast<std::int64_t>(matrix.offsets.size()) == matrix.rows + 1 && matrix.offsets.front() == 0);
  require(matrix.offsets.back() == static_cast<std::int64_t>(matrix.columns.size()));
  require(matrix.columns.size() == matrix.values.size());
  for (std::size_t row = 0; row + 1 < matrix.offsets.size(); ++row) {
    require(matrix.offsets[row] <= matrix.offsets[row + 1]);
    for (std::int64_t k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k) {
      const std::int32_t column = matrix.columns[static_cast<std::size_t>(k)];
      require(column >= 0 && column < matrix.cols);
      require(k == matrix.offsets[row] || column > matrix.columns[static_cast<std::size_t>(k) - 1]);
    }
  }
}

}  // namespace dwarfsweep::fuzz

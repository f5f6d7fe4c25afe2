// What read_matrix and read_grid promise of a matrix.
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

}  // namespace dwarfsweep::fuzz

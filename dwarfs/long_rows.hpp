// Grids whose rows are short lie transposed in device memory for kernels that process rows in vectors.
#pragma once

#include <cstddef>
#include <vector>

namespace dwarfsweep {

/// Rows of fewer columns fill their last vector badly, and have a large share of cells at the sides of
/// strips. With more columns than this, neither matters.
inline constexpr std::size_t short_row = 512;

inline bool has_short_rows(std::size_t rows, std::size_t cols) {
  return cols < rows && cols < short_row;
}

/// A grid of rows x cols values as one of cols x rows.
inline std::vector<float> transposed(const std::vector<float>& grid, std::size_t rows, std::size_t cols) {
  std::vector<float> result(grid.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < cols; ++column)
      result[column * rows + row] = grid[row * cols + column];
  }
  return result;
}

}  // namespace dwarfsweep

#include "dwarfs/hotspot/layout.hpp"

#include <algorithm>

#include "harness/space/rounding.hpp"

namespace dwarfsweep::hotspot {
namespace {

constexpr std::size_t left_margin = 16;
constexpr std::size_t margins = left_margin + 16;  // a vector of 16 behind a row's cells

}  // namespace

Layout::Layout(const Parameters& p, bool padded)
    : rows(p.rows),
      cols(p.cols),
      stride(padded ? round_up(cols, 16) + margins : cols),
      left(padded ? left_margin : 0) {}

std::vector<float> Layout::with_margins(const std::vector<float>& grid) const {
  std::vector<float> result(floats());
  for (std::size_t row = 0; row < rows; ++row) {
    const float* values = grid.data() + row * cols;
    float* target = result.data() + row * stride + left;
    std::copy_n(values, cols, target);
    for (std::size_t i = 0; i < left; ++i) {
      // The mirrored grid repeats every 2 * cols columns.
      const std::size_t in_period = i % (2 * cols);
      const std::size_t column = std::min(in_period, 2 * cols - 1 - in_period);
      *(target - 1 - i) = values[column];
      target[cols + i] = values[cols - 1 - column];
    }
  }
  return result;
}

std::vector<float> Layout::without_margins(const std::vector<float>& floats) const {
  std::vector<float> grid(rows * cols);
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(floats.data() + row * stride + left, cols, grid.data() + row * cols);
  return grid;
}

}  // namespace dwarfsweep::hotspot

// How an image of srad lies in device memory.
#pragma once

#include <cstddef>
#include <vector>

#include "dwarfs/srad/parameters.hpp"

namespace dwarfsweep::srad {

/// Rows of `stride` floats, whose pixels begin at `left`. With padding the cells before and behind them
/// repeat the first and the last pixel, and rows are aligned.
struct Layout {
  Layout(const Parameters& p, bool padded);

  [[nodiscard]] std::size_t cells() const { return rows * stride; }
  /// The cells of an image of rows x cols pixels.
  [[nodiscard]] std::vector<float> cells_of(const std::vector<float>& image) const;
  /// The inverse: without the cells beside the pixels.
  [[nodiscard]] std::vector<float> image_of(const std::vector<float>& cells) const;

  std::size_t rows, cols, stride, left;
};

}  // namespace dwarfsweep::srad

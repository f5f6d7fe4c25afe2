// How a grid of hotspot lies in device memory.
#pragma once

#include <cstddef>
#include <vector>

#include "dwarfs/hotspot/chip.hpp"

namespace dwarfsweep::hotspot {

/// Rows of `stride` floats, whose cells begin at `left`. With padding rows are aligned, and have margins of
/// `left` cells on both sides in which the grid continues mirrored.
struct Layout {
  Layout(const Parameters& p, bool padded);

  [[nodiscard]] std::size_t floats() const { return rows * stride; }
  /// The rows with their margins, of a grid of rows x cols values.
  [[nodiscard]] std::vector<float> with_margins(const std::vector<float>& grid) const;
  /// The inverse.
  [[nodiscard]] std::vector<float> without_margins(const std::vector<float>& floats) const;

  std::size_t rows, cols, stride, left;
};

}  // namespace dwarfsweep::hotspot

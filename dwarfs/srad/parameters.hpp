// What a problem of srad asks for: the image's size, the steps, the region of interest.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/space/problem.hpp"

namespace dwarfsweep::srad {

/// The region of interest, ends excluded: its statistics tell what is speckle.
struct Region {
  std::size_t top = 0, bottom = 0, left = 0, right = 0;
  [[nodiscard]] std::size_t pixels() const { return (bottom - top) * (right - left); }
};

struct Parameters {
  std::size_t rows = 0, cols = 0;
  int iterations = 1;
  double lambda = 0.5;
  Region region;
  [[nodiscard]] std::size_t pixels() const { return rows * cols; }
};

/// Reads them from the problem's keys. Throws UsageError where the region does not lie in the image.
Parameters parameters_of(const Problem& problem);

/// Lower bound of q0^2: with it a constant region has a defined result, and no step moves a pixel by more
/// than 2e-6 of its value there. The kernels have the same bound.
inline constexpr double min_speckle = 0x1p-40;

/// The mean over the region of an image of rows x cols pixels.
template <typename T>
double region_mean(const std::vector<T>& image, const Parameters& p) {
  double sum = 0;
  for (std::size_t row = p.region.top; row < p.region.bottom; ++row) {
    for (std::size_t column = p.region.left; column < p.region.right; ++column)
      sum += static_cast<double>(image[row * p.cols + column]);
  }
  return sum / static_cast<double>(p.region.pixels());
}

}  // namespace dwarfsweep::srad

#include "dwarfs/srad/layout.hpp"

#include <algorithm>

#include "harness/space/rounding.hpp"

namespace dwarfsweep::srad {
namespace {

constexpr std::size_t left_margin = 16;
constexpr std::size_t margins = left_margin + 3 * 16;  // three vectors of 16 behind a row's pixels

}  // namespace

Layout::Layout(const Parameters& p, bool padded)
    : rows(p.rows),
      cols(p.cols),
      stride(padded ? round_up(cols + margins, 16) : cols),
      left(padded ? left_margin : 0) {}

std::vector<float> Layout::cells_of(const std::vector<float>& image) const {
  std::vector<float> result(cells());
  for (std::size_t row = 0; row < rows; ++row) {
    const float* pixels = image.data() + row * cols;
    float* target = result.data() + row * stride;
    std::fill_n(target, left, pixels[0]);
    std::copy_n(pixels, cols, target + left);
    std::fill(target + left + cols, target + stride, pixels[cols - 1]);
  }
  return result;
}

std::vector<float> Layout::image_of(const std::vector<float>& cells) const {
  std::vector<float> image(rows * cols);
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(cells.data() + row * stride + left, cols, image.data() + row * cols);
  return image;
}

}  // namespace dwarfsweep::srad

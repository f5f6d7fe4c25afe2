// PGM grey images for srad: P2 (text) and P5 (one byte per pixel, or two with the high byte first).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct GreyImage {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int32_t maxval = 0;    // white; 1 to 65535
  std::vector<float> pixels;  // rows x cols, row-major, 0 to maxval, not scaled
};

/// One image per file. Comments run from '#' to the end of the line and may stand wherever the header, or
/// P2's pixels, have white space; like libnetpbm, a '#' also ends the number it follows. Throws InputError.
GreyImage read_pgm(const std::filesystem::path& file);
GreyImage read_pgm(std::string_view bytes, const std::string& name);

/// Writes P5. Pixels are rounded to integers and clamped to 0 ... maxval. Throws std::invalid_argument where
/// the sizes disagree or a pixel is NaN, UsageError where the file cannot be written.
void write_pgm(const std::filesystem::path& file, const GreyImage& image);

}  // namespace dwarfsweep

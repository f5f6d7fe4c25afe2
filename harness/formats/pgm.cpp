#include "harness/formats/pgm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

constexpr std::int64_t longest_edge = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t largest_maxval = 65535;
constexpr std::int32_t largest_in_one_byte = 255;

std::int64_t bytes_per_pixel(const GreyImage& image) {
  return image.maxval > largest_in_one_byte ? 2 : 1;
}

void read_text_pixels(TokenReader& tokens, GreyImage& image) {
  const std::int64_t count = image.rows * image.cols;
  tokens.require_room(count, 1, "pixels");
  image.pixels.reserve(count);
  for (std::int64_t pixel = 0; pixel < count; ++pixel) {
    image.pixels.push_back(static_cast<float>(tokens.integer("a pixel", 0, image.maxval)));
  }
  tokens.expect_end("the last pixel");
}

/// `raster` is all that follows the one white-space character behind the maximum, at byte `start` of the
/// file.
void read_binary_pixels(std::string_view raster, std::size_t start, const std::string& name,
                        GreyImage& image) {
  const std::int64_t width = bytes_per_pixel(image);
  const auto found = static_cast<std::int64_t>(raster.size());
  const std::int64_t count = image.rows * image.cols;
  if (found % width != 0 || found / width != count) {
    throw InputError(name, fmt::format("byte {}", start),
                     fmt::format("expected {} pixels of {} byte{}, found {} bytes", count, width,
                                 width == 1 ? "" : "s", found));
  }
  image.pixels.reserve(count);
  for (std::int64_t at = 0; at < found; at += width) {
    std::int32_t pixel = static_cast<std::uint8_t>(raster[at]);
    if (width == 2) pixel = pixel * 256 + static_cast<std::uint8_t>(raster[at + 1]);
    if (pixel > image.maxval) {
      throw InputError(name, fmt::format("byte {}", start + at),
                       fmt::format("expected a pixel from 0 to {}, found {}", image.maxval, pixel));
    }
    image.pixels.push_back(static_cast<float>(pixel));
  }
}

}  // namespace

GreyImage read_pgm(std::string_view bytes, const std::string& name) {
  TokenReader tokens(bytes, name);
  tokens.comments_start_with("#");
  tokens.next();
  const std::string_view magic = tokens.text();
  if (!bytes.starts_with('P') || (magic != "P2" && magic != "P5")) tokens.fail_expecting("'P2' or 'P5'");

  GreyImage image;
  image.cols = tokens.integer("the width", 1, longest_edge);
  image.rows = tokens.integer("the height", 1, longest_edge);
  image.maxval = static_cast<std::int32_t>(tokens.integer("the maximum grey value", 1, largest_maxval));
  if (magic == "P2") {
    read_text_pixels(tokens, image);
    return image;
  }
  // A comment right behind the maximum counts as the white space that its line end is.
  std::size_t raster_start = tokens.position();
  if (bytes.substr(raster_start).starts_with('#')) raster_start = bytes.find_first_of("\r\n", raster_start);
  raster_start = std::min(raster_start, bytes.size() - 1) + 1;
  read_binary_pixels(bytes.substr(raster_start), raster_start, name, image);
  return image;
}

GreyImage read_pgm(const std::filesystem::path& file) {
  return read_pgm(read_text(file), file.string());
}

void write_pgm(const std::filesystem::path& file, const GreyImage& image) {
  if (image.rows < 1 || image.cols < 1 || image.maxval < 1 || image.maxval > largest_maxval ||
      static_cast<std::int64_t>(image.pixels.size()) != image.rows * image.cols) {
    throw std::invalid_argument("write_pgm: sizes disagree, or the maximum is not within 1 to 65535");
  }
  const bool wide = bytes_per_pixel(image) == 2;
  std::string raster;
  raster.reserve(image.pixels.size() * bytes_per_pixel(image));
  for (const float pixel : image.pixels) {
    if (std::isnan(pixel)) throw std::invalid_argument("write_pgm: a pixel is NaN");
    const auto rounded = std::lround(std::clamp(pixel, 0.0F, static_cast<float>(image.maxval)));
    if (wide) raster.push_back(static_cast<char>(rounded / 256));
    raster.push_back(static_cast<char>(rounded % 256));
  }
  write_bytes(file, fmt::format("P5\n{} {}\n{}\n", image.cols, image.rows, image.maxval), raster);
}

}  // namespace dwarfsweep

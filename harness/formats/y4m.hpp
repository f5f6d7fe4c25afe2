// YUV4MPEG2, the video that ffmpeg and others write as .y4m: 4:2:0 with 8 bits per sample.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct Video {
  std::int64_t rows = 0, cols = 0;  ///< of luma
  /// For each frame its luma, then Cb and Cr, which have half as many rows and columns, rounded up.
  std::vector<std::vector<std::uint8_t>> frames;
};

/// Throws InputError, which names the byte.
Video read_y4m(const std::filesystem::path& file);
Video read_y4m(std::string_view bytes, const std::string& name);

}  // namespace dwarfsweep

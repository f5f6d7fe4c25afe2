// Fuzz target of read_y4m.
#include "harness/formats/y4m.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const Video video = read_y4m(bytes, "input");
    const std::int64_t colours = (video.rows + 1) / 2 * ((video.cols + 1) / 2);
    fuzz::require(!video.frames.empty());
    for (const auto& frame : video.frames)
      fuzz::require(static_cast<std::int64_t>(frame.size()) == video.rows * video.cols + 2 * colours);
  });
}

// Fuzz target of read_pgm.
#include "harness/formats/pgm.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const GreyImage image = read_pgm(bytes, "input");
    fuzz::require(image.rows >= 1 && image.cols >= 1);
    fuzz::require(image.rows * image.cols == static_cast<std::int64_t>(image.pixels.size()));
    const auto white = static_cast<float>(image.maxval);
    for (const float pixel : image.pixels) fuzz::require(pixel >= 0 && pixel <= white);
  });
}

// Fuzz target of read_directions.
#include "harness/formats/directions.hpp"

#include <cmath>

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const std::vector<Direction> sky = read_directions(bytes, "input");
    fuzz::require(!sky.empty());
    for (const Direction& direction : sky) {
      fuzz::require(std::abs(direction.right_ascension) <= 360);
      fuzz::require(std::abs(direction.declination) <= 90);
    }
  });
}

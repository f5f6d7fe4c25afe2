// Fuzz target of read_obstacles.
#include "harness/formats/obstacles.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const Obstacles obstacles = read_obstacles(bytes, "input");
    fuzz::require(obstacles.nx >= 1 && obstacles.ny >= 1 && obstacles.nz >= 1);
    fuzz::require(obstacles.nx * obstacles.ny * obstacles.nz ==
                  static_cast<std::int64_t>(obstacles.solid.size()));
  });
}

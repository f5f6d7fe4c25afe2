// Fuzz target of read_xyz.
#include <cmath>

#include "harness/formats/molecule.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const std::vector<float> centres = read_xyz(bytes, "input");
    fuzz::require(!centres.empty() && centres.size() % 3 == 0);
    for (const float coordinate : centres) fuzz::require(std::isfinite(coordinate));
  });
}

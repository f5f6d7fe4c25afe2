// Fuzz target of read_points: text and binary.
#include "harness/formats/points.hpp"

#include <cmath>

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const Points table = read_points(bytes, "input");
    fuzz::require(table.points >= 1 && table.features >= 1);
    fuzz::require(table.points * table.features == static_cast<std::int64_t>(table.values.size()));
    for (const float value : table.values) fuzz::require(std::isfinite(value));
  });
}

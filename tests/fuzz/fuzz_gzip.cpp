// Fuzz target of unpacked.
#include "suite/record/packed_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    constexpr std::size_t limit = 1 << 20;
    const std::string text = unpacked("input", bytes, limit);
    if (bytes.starts_with("\x1f\x8b")) {
      fuzz::require(text.size() <= limit);
    } else {
      fuzz::require(text == bytes);
    }
  });
}

// Fuzz target of parse_bundle and parse_archive.
#include "suite/sharing/bundle.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const bool is_packed = bytes.starts_with("\x1f\x8b");
    const Bundle bundle =
        is_packed ? parse_bundle("input", bytes) : parse_archive("input", std::string(bytes));
    fuzz::require(bundle.runs() > 0);
    for (std::size_t run = 1; run <= bundle.runs(); ++run)
      fuzz::require(bundle.files.contains(std::to_string(run) + "/run.json"));
  });
}

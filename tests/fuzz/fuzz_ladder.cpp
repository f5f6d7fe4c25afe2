// Fuzz target of parse_ladder.
#include "suite/compare/ladder.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run_record(data, size, [](std::string_view bytes) {
    const std::vector<Rung> ladder = parse_ladder("input", std::string(bytes));
    fuzz::require(ladder.size() >= 2);
    for (const Rung& rung : ladder) {
      fuzz::require(rung.name.find('/') == std::string::npos);
      fuzz::require(rung.environment.find('=') != std::string::npos);
    }
  });
}

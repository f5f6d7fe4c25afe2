// Fuzz target of keep_in_history: what it takes, it appends to and reads again.
#include <cmath>

#include "suite/compare/compare.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run_record(data, size, [](std::string_view bytes) {
    const std::filesystem::path folder = fuzz::as_file("history.jsonl", bytes).parent_path();
    const PastRun now{"now", "2026-01-01T00:00:00Z", {{"lud", 1.0}}};
    const std::vector<PastRun> runs = keep_in_history(folder, now);
    bool there = false;
    for (const PastRun& run : runs) {
      there = there || run.run_id == now.run_id;
      for (const auto& [point, ns] : run.times) fuzz::require(ns > 0 && std::isfinite(ns));
    }
    fuzz::require(there && keep_in_history(folder, now).size() == runs.size());
  });
}

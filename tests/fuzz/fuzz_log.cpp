// Fuzz target of read_log.
#include "suite/record/run_log.hpp"

#include <sstream>

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run_record(data, size, [](std::string_view bytes) {
    std::istringstream stream{std::string(bytes)};
    const RunLog log = read_log("input", stream);
    fuzz::require(!log.run.run_id.empty());
    fuzz::require(log.whole_bytes <= static_cast<std::int64_t>(bytes.size()));
  });
}

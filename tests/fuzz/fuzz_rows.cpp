// Fuzz target of parse_measurements: what it takes, it writes and reads again.
#include "suite/record/row_csv.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run_record(data, size, [](std::string_view bytes) {
    const std::vector<MeasurementRow> rows = parse_measurements("input", std::string(bytes));
    fuzz::require(parse_measurements("again", to_csv(rows)).size() == rows.size());
  });
}

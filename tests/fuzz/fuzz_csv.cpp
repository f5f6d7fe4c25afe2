// Fuzz target of parse_csv.
#include "suite/record/csv.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const CsvTable table = parse_csv("input", bytes);
    fuzz::require(!table.header.empty());
    for (const CsvTable::Row& row : table.rows) fuzz::require(row.cells.size() == table.header.size());
  });
}

// Fuzz target of read_spaces: caches of Kernel Tuner, results in the T4 schema, and CSV. The rows of our own
// runs have a target of their own.
#include <cmath>

#include "suite/search/recorded_space.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run_record(data, size, [](std::string_view bytes) {
    if (bytes.starts_with("schema_version,")) return;
    for (const RecordedTable& table : read_spaces(fuzz::as_file("space", bytes))) {
      fuzz::require(!table.rows.empty());
      for (const RecordedTable::Row& row : table.rows) {
        fuzz::require(row.values.size() == table.parameters.size());
        fuzz::require(!row.time || (*row.time > 0 && std::isfinite(*row.time)));
      }
      const RecordedSpace space(table);
      for (const PointNumber point : space.points()) fuzz::require(space.is_legal(point));
    }
  });
}

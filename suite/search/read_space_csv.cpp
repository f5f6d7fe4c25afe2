#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/search/read_space.hpp"

namespace dwarfsweep {

RecordedTable parse_space_csv(const std::string& name, const std::string& file, const std::string& text) {
  const CsvTable csv = parse_csv(file, text);
  const auto found = std::find(csv.header.begin(), csv.header.end(), "time_ms");
  if (found == csv.header.begin() || found == csv.header.end()) {
    throw InputError(file, "line 1", "is no recorded space: expected the parameters' names, then 'time_ms'");
  }
  RecordedTable table{name, {csv.header.begin(), found}, {}};
  const std::size_t time_column = table.parameters.size();
  for (const CsvTable::Row& line : csv.rows) {
    RecordedTable::Row row;
    for (std::size_t i = 0; i < time_column; ++i) row.values.push_back(Value::parse(line.cells[i]));
    if (const std::string& cell = line.cells[time_column]; !cell.empty()) {
      const Value time = Value::parse(cell);
      if (time.is_string() || !(time.real() > 0) || !std::isfinite(time.real())) {
        throw InputError(
            file, fmt::format("line {}", line.line),
            fmt::format("time_ms is '{}', but must be above 0, or empty where the point failed", cell));
      }
      row.time = time.real();
    }
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) throw InputError(file, "", "has no points below its header");
  return table;
}

}  // namespace dwarfsweep

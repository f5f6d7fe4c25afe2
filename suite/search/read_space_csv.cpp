#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/space/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/search/read_space.hpp"

namespace dwarfsweep {
namespace {

constexpr std::pair<const char*, std::optional<double> RecordedFacts::*> fact_columns[] = {
    {"compile_ms", &RecordedFacts::compile_ms},   {"benchmark_ms", &RecordedFacts::benchmark_ms},
    {"verify_ms", &RecordedFacts::verify_ms},     {"count_ms", &RecordedFacts::count_ms},
    {"threads", &RecordedFacts::threads},         {"ir_instructions", &RecordedFacts::ir_instructions},
    {"regions", &RecordedFacts::regions},         {"registers", &RecordedFacts::registers},
    {"local_bytes", &RecordedFacts::local_bytes}, {"group_size", &RecordedFacts::group_size}};

// What is no number counts as not recorded.
RecordedFacts facts_of(const std::vector<std::string>& header, const std::vector<std::string>& cells,
                       std::size_t first) {
  RecordedFacts facts;
  for (std::size_t i = first; i < header.size(); ++i) {
    for (const auto& [name, member] : fact_columns) {
      if (header[i] != name || cells[i].empty()) continue;
      const Value value = Value::parse(cells[i]);
      if (!value.is_string() && std::isfinite(value.real()) && value.real() >= 0)
        facts.*member = value.real();
    }
  }
  return facts;
}

}  // namespace

RecordedTable parse_space_csv(const std::string& name, const std::string& file, const std::string& text) {
  const CsvTable csv = parse_csv(file, text);
  const auto found = std::find(csv.header.begin(), csv.header.end(), "time_ms");
  if (found == csv.header.begin() || found == csv.header.end()) {
    throw InputError(file, "line 1", "is no recorded space: expected the parameters' names, then 'time_ms'");
  }
  RecordedTable table{name, {csv.header.begin(), found}, {}};
  table.defaults_first =
      std::find(table.parameters.begin(), table.parameters.end(), "variant") != table.parameters.end();
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
    row.facts = facts_of(csv.header, line.cells, time_column + 1);
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) throw InputError(file, "", "has no points below its header");
  return table;
}

}  // namespace dwarfsweep

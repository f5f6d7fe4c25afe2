#include "suite/output/published_rows.hpp"

#include <algorithm>

#include "suite/record/csv.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// "granularity;direction" and "4;x".
Config parse_changes(const std::string& axes, const std::string& values) {
  Config changes;
  std::size_t axis_begin = 0;
  std::size_t value_begin = 0;
  while (axis_begin < axes.size() && value_begin < values.size()) {
    const std::size_t axis_end = std::min(axes.find(';', axis_begin), axes.size());
    const std::size_t value_end = std::min(values.find(';', value_begin), values.size());
    changes = changes.with(axes.substr(axis_begin, axis_end - axis_begin),
                           Value::parse(values.substr(value_begin, value_end - value_begin)));
    axis_begin = axis_end + 1;
    value_begin = value_end + 1;
  }
  return changes;
}

}  // namespace

std::vector<PublishedRow> read_published(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<PublishedRow> rows;
  for (const fs::path& file : files) {
    const CsvTable table = read_csv(file);
    for (const CsvTable::Row& line : table.rows) {
      const auto cell = [&](const char* column) { return line.cells[table.column(column)]; };
      rows.push_back({cell("source"), cell("figure"), cell("device"), cell("dwarf"), cell("kernel"),
                      cell("size"), cell("setting"), cell("reference"),
                      parse_changes(cell("axis"), cell("value")), cell("time_ns"), cell("speedup"),
                      cell("rate"), cell("rate_unit")});
    }
  }
  return rows;
}

bool same_figure(const PublishedRow& a, const PublishedRow& b) {
  return a.source == b.source && a.figure == b.figure && a.dwarf == b.dwarf && a.kernel == b.kernel &&
         a.size == b.size;
}

}  // namespace dwarfsweep

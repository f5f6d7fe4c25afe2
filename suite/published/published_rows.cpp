#include "suite/published/published_rows.hpp"

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

// Both are of one figure, and about the same dwarf, kernel and size.
bool same_figure(const PublishedRow& a, const PublishedRow& b) {
  return a.source == b.source && a.figure == b.figure && a.dwarf == b.dwarf && a.kernel == b.kernel &&
         a.size == b.size;
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
                      cell("size"), cell("optimisation"), cell("setting"), cell("reference"),
                      parse_changes(cell("axis"), cell("value")), cell("time_ns"), cell("speedup"),
                      cell("rate"), cell("rate_unit")});
    }
  }
  return rows;
}

bool is_over_threads(const PublishedRow& row) {
  return row.reference == one_cpu_thread || row.reference == four_cpu_threads;
}

bool is_best_of_search(const PublishedRow& row) {
  return row.optimisation == "Exhaustive search" && !row.changes.entries().empty();
}

const PublishedRow* find_reference(const std::vector<PublishedRow>& figure, const PublishedRow& row) {
  const auto found = std::find_if(figure.begin(), figure.end(), [&](const PublishedRow& other) {
    return other.device == row.device && other.setting == row.reference;
  });
  return found == figure.end() ? nullptr : &*found;
}

std::optional<double> published_speedup(const std::vector<PublishedRow>& figure, const PublishedRow& row) {
  if (row.setting == row.reference) return std::nullopt;
  if (!row.speedup.empty()) return std::stod(row.speedup);
  const PublishedRow* const reference = find_reference(figure, row);
  if (reference == nullptr) return std::nullopt;
  if (!row.time_ns.empty() && !reference->time_ns.empty())
    return std::stod(reference->time_ns) / std::stod(row.time_ns);
  if (!row.rate.empty() && row.rate_unit == reference->rate_unit)
    return std::stod(row.rate) / std::stod(reference->rate);
  return std::nullopt;
}

std::vector<std::vector<PublishedRow>> group_by_figure(const std::vector<PublishedRow>& rows) {
  std::vector<std::vector<PublishedRow>> figures;
  for (const PublishedRow& row : rows) {
    const auto figure = std::find_if(figures.begin(), figures.end(),
                                     [&](const auto& other) { return same_figure(other.front(), row); });
    if (figure == figures.end()) {
      figures.push_back({row});
    } else {
      figure->push_back(row);
    }
  }
  return figures;
}

}  // namespace dwarfsweep

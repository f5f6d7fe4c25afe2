#include "suite/published/published_rows.hpp"

#include <algorithm>

#include "suite/output/setting_tables.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/record/csv.hpp"

namespace dwarfsweep {

// --- the rows of the files ---

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
  std::ranges::sort(files);
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
  const auto found = std::ranges::find_if(figure, [&](const PublishedRow& other) {
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
    const auto figure =
        std::ranges::find_if(figures, [&](const auto& other) { return same_figure(other.front(), row); });
    if (figure == figures.end()) {
      figures.push_back({row});
    } else {
      figure->push_back(row);
    }
  }
  return figures;
}

// --- our setting of a published one ---

namespace {

// A direction says what a granularity applies to, so it has no effect while the granularity is 1.
bool has_no_effect(const std::string& axis, const Config& config) {
  const Value* const granularity = config.find("granularity");
  return axis == "direction" && granularity != nullptr && *granularity == Value(1);
}

}  // namespace

bool is_published_problem(const std::string& size, const SettingTable& ours) {
  if (size.empty()) return ours.size == "paper";
  const Config published = Config::parse(size);
  const Config problem = Config::parse(ours.problem);
  return std::ranges::all_of(published.entries(), [&](const auto& entry) {
    const Value* const value = problem.find(entry.first);
    return value != nullptr && *value == entry.second;
  });
}

PublishedJoin::PublishedJoin(const SettingTable& ours, const std::vector<PublishedRow>& figure)
    : ours_(ours), figure_(figure) {
  for (const Setting& setting : ours.settings) {
    if (setting.baseline) baseline_ = Config::parse(setting.config);
  }
}

const Setting* PublishedJoin::find(const Config& changes) const {
  // A row that changes nothing is of a library, say, or of a search: nothing of ours, our baseline included.
  if (changes.entries().empty()) return nullptr;
  const auto found = std::find_if(ours_.settings.begin(), ours_.settings.end(), [&](const Setting& setting) {
    const Config config = Config::parse(setting.config);
    return has_changes(config, changes) && has_no_other_changes(config, changes);
  });
  return found == ours_.settings.end() ? nullptr : &*found;
}

const Setting* PublishedJoin::find_fastest(const Config& changes, std::size_t column) const {
  const Setting* fastest = nullptr;
  for (const Setting& setting : ours_.settings) {
    if (!is_timed(setting.cells[column]) || !has_changes(Config::parse(setting.config), changes)) continue;
    if (fastest == nullptr || *setting.cells[column]->median_ns < *fastest->cells[column]->median_ns)
      fastest = &setting;
  }
  return fastest;
}

bool PublishedJoin::has_changes(const Config& config, const Config& changes) const {
  // Ours may name a direction together with its kernel: internal_x where the figure is about `internal` and
  // says x.
  const auto same_value = [&](const Value& ours, const Value& theirs) {
    return ours == theirs ||
           (ours.is_string() && theirs.is_string() && ours.string() == ours_.kernel + "_" + theirs.string());
  };
  return std::ranges::all_of(changes.entries(), [&](const auto& change) {
    const Value* const value = config.find(change.first);
    return value != nullptr && (same_value(*value, change.second) || has_no_effect(change.first, config));
  });
}

bool PublishedJoin::has_no_other_changes(const Config& config, const Config& changes) const {
  const auto& entries = config.entries();
  return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
    if (changes.has(entry.first)) return true;
    const Value* const before = baseline_.find(entry.first);
    return before != nullptr && *before == entry.second;
  });
}

// --- our speedup ---

const Setting* PublishedJoin::setting_of(const PublishedRow& row, std::size_t column) const {
  return is_best_of_search(row) ? find_fastest(row.changes, column) : find(row.changes);
}

const MeasurementRow* PublishedJoin::measurement(const PublishedRow& row, std::size_t column) const {
  const Setting* const setting = setting_of(row, column);
  return setting == nullptr ? nullptr : setting->cells[column];
}

std::optional<double> PublishedJoin::time_over_threads(const PublishedRow& row, const MeasurementRow& ours) {
  return row.kernel == "total" ? time_with_transfers(ours) : ours.median_ns;
}

std::optional<OurSpeedup> PublishedJoin::over_threads(const PublishedRow& row, std::size_t column) const {
  const CpuReference& references = ours_.cpu_reference;
  const MeasurementRow* const reference =
      row.reference == one_cpu_thread ? references.one_thread[column] : references.four_threads[column];
  const std::optional<double> time = time_over_threads(row, *measurement(row, column));
  if (!time || !is_timed(reference)) return std::nullopt;
  return OurSpeedup{*reference->median_ns / *time, ""};
}

std::optional<OurSpeedup> PublishedJoin::speedup(const PublishedRow& row, std::size_t column) const {
  const MeasurementRow* const ours = measurement(row, column);
  if (!is_timed(ours)) return std::nullopt;
  if (is_over_threads(row)) return over_threads(row, column);
  const PublishedRow* const reference = find_reference(figure_, row);
  const Setting* const setting = reference == nullptr ? nullptr : setting_of(*reference, column);
  if (setting == nullptr) return std::nullopt;
  const MeasurementRow* const other = setting->cells[column];
  if (!is_timed(other) || other == ours) return std::nullopt;
  // The baseline's own row has a speedup of 1 over itself, which says nothing here.
  if (setting->baseline && ours->speedup) return OurSpeedup{*ours->speedup, ours->verdict};
  return OurSpeedup{*other->median_ns / *ours->median_ns, ""};
}

}  // namespace dwarfsweep

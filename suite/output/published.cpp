#include "suite/output/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "harness/value.hpp"
#include "suite/output/host_table.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/record/csv.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

struct PublishedRow {
  std::string source, figure, device, dwarf, kernel, size, setting, reference;
  Config changes;  ///< over our baseline
  std::string time_ns, speedup;
};

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
                      parse_changes(cell("axis"), cell("value")), cell("time_ns"), cell("speedup")});
    }
  }
  return rows;
}

// "n=4096" is the problem "m=4096;n=4096;gap=10" if all of it stands there. A work that does not tell its
// size is laid beside the problems that we chose for it.
bool is_problem(const std::string& size, const SettingTable& ours) {
  if (size.empty()) return ours.size == "paper";
  const Config wanted = Config::parse(size);
  const Config given = Config::parse(ours.problem);
  return std::all_of(wanted.entries().begin(), wanted.entries().end(), [&](const auto& entry) {
    const Value* const value = given.find(entry.first);
    return value != nullptr && *value == entry.second;
  });
}

std::string number(const std::string& text) {
  return text.empty() ? "" : time_text(std::stod(text));
}

constexpr const char* one_thread = "1 CPU thread";
constexpr const char* all_threads = "4 CPU threads";

bool is_over_threads(const PublishedRow& row) {
  return row.reference == one_thread || row.reference == all_threads;
}

// One figure, about one dwarf, kernel and problem, beside the table of ours that is about the same.
class FigureTable {
 public:
  FigureTable(const TableModel& model, const SettingTable& ours, std::vector<PublishedRow> theirs)
      : model_(model), ours_(ours), theirs_(std::move(theirs)) {
    for (const Setting& setting : ours.settings) {
      if (setting.baseline) baseline_ = Config::parse(setting.config);
    }
  }

  // None where nothing of the figure was measured here.
  std::optional<Block> make() {
    Block block{.kind = Block::Kind::table};
    block.header = {"published setting"};
    std::vector<std::string> devices;
    for (const PublishedRow& row : theirs_) {
      if (std::find(devices.begin(), devices.end(), row.device) == devices.end())
        devices.push_back(row.device);
    }
    block.header.insert(block.header.end(), devices.begin(), devices.end());
    for (const DeviceColumn& column : model_.columns) block.header.push_back(column.letter + ", here");
    std::vector<std::string> done;
    for (const PublishedRow& row : theirs_) {
      const std::string name = name_of(row);
      if (std::find(done.begin(), done.end(), name) != done.end()) continue;
      done.push_back(name);
      block.rows.push_back(make_row(row, name, devices));
    }
    if (!any_of_ours_) return std::nullopt;
    return block;
  }

 private:
  // The figure's word, and what it is here over our baseline.
  [[nodiscard]] std::string name_of(const PublishedRow& row) const {
    Config changes;
    for (const auto& [axis, value] : row.changes.entries()) {
      const Value* const before = baseline_.find(axis);
      if (before == nullptr || !(*before == value)) changes = changes.with(axis, value);
    }
    const std::string setting =
        is_over_threads(row) ? fmt::format("{}, over {}", row.setting, row.reference) : row.setting;
    return changes.entries().empty() ? setting : fmt::format("{} ({})", setting, changes.to_string(", "));
  }

  std::vector<Cell> make_row(const PublishedRow& row, const std::string& name,
                             const std::vector<std::string>& devices) {
    std::vector<Cell> cells = {{{name}, ""}};
    for (const std::string& device : devices) {
      const auto same = std::find_if(theirs_.begin(), theirs_.end(), [&](const PublishedRow& other) {
        return other.device == device && name_of(other) == name;
      });
      const bool is_there = same != theirs_.end();
      cells.push_back({{is_there ? number(same->time_ns) : "",
                        is_there && !same->speedup.empty() ? same->speedup + "x" : ""},
                       ""});
    }
    const Setting* const setting = find_setting(row.changes);
    const PublishedRow* const reference = find_reference(row);
    const Setting* const start = reference == nullptr ? nullptr : find_setting(reference->changes);
    for (std::size_t column = 0; column < model_.columns.size(); ++column) {
      cells.push_back(our_cell(row, setting, start, column));
    }
    return cells;
  }

  Cell our_cell(const PublishedRow& row, const Setting* setting, const Setting* start, std::size_t column) {
    const MeasurementRow* const ours = setting == nullptr ? nullptr : setting->cells[column];
    if (ours == nullptr) return {{}, "."};
    any_of_ours_ = true;
    if (ours->status != "ok" || !ours->median_ns) return {{}, ours->status};
    if (is_over_threads(row)) return cell_over_threads(row, *ours, column);
    std::string speedup;
    const MeasurementRow* const other = start == nullptr ? nullptr : start->cells[column];
    if (start != nullptr && start->baseline && !setting->baseline && ours->speedup) {
      speedup = ratio_text(*ours->speedup) + "x" + verdict_mark(ours->verdict);
    } else if (other != nullptr && other != ours && other->median_ns) {
      speedup = ratio_text(*other->median_ns / *ours->median_ns) + "x*";
    }
    return {{time_text(*ours->median_ns), speedup}, ""};
  }

  // As published: with the transfers, against the host's own cores.
  [[nodiscard]] Cell cell_over_threads(const PublishedRow& row, const MeasurementRow& ours,
                                       std::size_t column) const {
    const std::optional<double> time = time_with_transfers(ours);
    if (!time) return {{time_text(*ours.median_ns), "?"}, ""};
    const auto& hosts = row.reference == one_thread ? ours_.host.one_thread : ours_.host.all_threads;
    const MeasurementRow* const host = hosts[column];
    return {{time_text(*time), host == nullptr ? "?" : ratio_text(*host->median_ns / *time) + "x*"}, ""};
  }

  const PublishedRow* find_reference(const PublishedRow& row) const {
    const auto found = std::find_if(theirs_.begin(), theirs_.end(), [&](const PublishedRow& other) {
      return other.device == row.device && other.setting == row.reference;
    });
    return found == theirs_.end() ? nullptr : &*found;
  }

  // Ours may name a direction with its kernel: internal_x where the figure is about `internal` and says x.
  [[nodiscard]] bool same_value(const Value& ours, const Value& theirs) const {
    return ours == theirs ||
           (ours.is_string() && theirs.is_string() && ours.string() == ours_.kernel + "_" + theirs.string());
  }

  // The setting with these changes over the baseline and no other. A variant brings settings of its own
  // along, so there the one that differs least.
  [[nodiscard]] const Setting* find_setting(const Config& changes) const {
    const Setting* best = nullptr;
    std::size_t least = changes.has("variant") ? baseline_.entries().size() : 1;
    for (const Setting& setting : ours_.settings) {
      const Config config = Config::parse(setting.config);
      std::size_t others = 0;
      bool matches = true;
      for (const auto& [axis, value] : config.entries()) {
        const Value* const change = changes.find(axis);
        const Value* const before = baseline_.find(axis);
        // A direction says what a granularity is about, which is nothing while it is 1.
        const Value* const granularity = config.find("granularity");
        const bool idle = axis == "direction" && granularity != nullptr && *granularity == Value(1);
        if (change != nullptr) {
          matches = matches && (same_value(value, *change) || idle);
        } else if (before == nullptr || !(*before == value)) {
          ++others;
        }
      }
      for (const auto& [axis, value] : changes.entries()) matches = matches && config.has(axis);
      if (matches && others < least) {
        least = others;
        best = &setting;
      }
    }
    return best;
  }

  const TableModel& model_;
  const SettingTable& ours_;
  std::vector<PublishedRow> theirs_;
  Config baseline_;
  bool any_of_ours_ = false;
};

bool same_figure(const PublishedRow& a, const PublishedRow& b) {
  return a.source == b.source && a.figure == b.figure && a.dwarf == b.dwarf && a.kernel == b.kernel &&
         a.size == b.size;
}

}  // namespace

fs::path find_published() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  std::vector<fs::path> places = {program.parent_path().parent_path() / "share" / "dwarfsweep" / "published"};
  // Up from build/<preset>/dwarfsweep, and from the tests one folder deeper.
  fs::path folder = program.parent_path();
  for (int i = 0; i < 4; ++i, folder = folder.parent_path())
    places.push_back(folder / "results" / "published");
  for (const fs::path& place : places) {
    if (fs::is_directory(place, error)) return place;
  }
  return {};
}

Document published_tables(const TableModel& model, const fs::path& folder) {
  const std::vector<PublishedRow> rows = read_published(folder);
  Document document;
  std::vector<bool> done(rows.size(), false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (done[i]) continue;
    std::vector<PublishedRow> figure;
    for (std::size_t j = i; j < rows.size(); ++j) {
      if (!same_figure(rows[i], rows[j])) continue;
      done[j] = true;
      figure.push_back(rows[j]);
    }
    for (const SettingTable& ours : model.tables) {
      if (ours.dwarf != rows[i].dwarf || ours.kernel != rows[i].kernel || !is_problem(rows[i].size, ours))
        continue;
      auto table = FigureTable(model, ours, figure).make();
      if (!table) continue;
      document.push_back(subheading(
          fmt::format("{}, {}: {} {}, {}", rows[i].source, rows[i].figure, rows[i].dwarf, rows[i].kernel,
                      rows[i].size.empty() ? "size not told, here " + ours.problem : rows[i].size)));
      document.push_back(std::move(*table));
    }
  }
  if (document.empty()) return document;
  document.insert(
      document.begin(),
      {heading("Published figures beside ours"),
       paragraph(
           "Times and speedups as printed, then what was measured here with the same setting. Speedups "
           "are over the figure's own first setting; * marks a ratio of medians, unpaired. Over CPU threads "
           "times include the transfers, here as published, and ours are over one or all threads of this "
           "host, ? where these were not measured (--cpu-reference). Sources and devices: "
           "results/published/README.md.")});
  return document;
}

}  // namespace dwarfsweep

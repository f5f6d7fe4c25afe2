#include "suite/output/published_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "suite/output/cpu_reference_table.hpp"
#include "suite/output/published_settings.hpp"
#include "suite/output/table_cells.hpp"

namespace dwarfsweep {
namespace {

constexpr const char* one_thread = "1 CPU thread";
constexpr const char* four_threads = "4 CPU threads";

bool is_over_threads(const PublishedRow& row) {
  return row.reference == one_thread || row.reference == four_threads;
}

// A rate's unit as it is printed, and where our rows have it.
struct RateUnit {
  const char* text;
  Number MeasurementRow::*ours;
  double scale;
};

const RateUnit* find_unit(const std::string& name) {
  static const std::map<std::string, RateUnit> units = {
      {"gb_per_s", {"GB/s", &MeasurementRow::gb_per_s, 1}},
      {"gflop_per_s", {"GFLOP/s", &MeasurementRow::gop_per_s, 1}},
      {"mpoints_per_s", {"Mpoints/s", &MeasurementRow::items_per_s, 1e-6}}};
  const auto found = units.find(name);
  return found == units.end() ? nullptr : &found->second;
}

// As printed: the time, or the rate where the figure has no time.
std::string published_amount(const PublishedRow& row) {
  if (!row.time_ns.empty()) return time_text(std::stod(row.time_ns));
  const RateUnit* const unit = find_unit(row.rate_unit);
  return unit == nullptr ? "" : row.rate + " " + unit->text;
}

// Ours in the same unit.
std::string our_amount(const PublishedRow& row, const MeasurementRow& ours) {
  const RateUnit* const unit = row.time_ns.empty() ? find_unit(row.rate_unit) : nullptr;
  if (unit == nullptr || !(ours.*unit->ours)) return time_text(*ours.median_ns);
  return fmt::format("{:.4g} {}", *(ours.*unit->ours) * unit->scale, unit->text);
}

const PublishedRow* find_reference(const std::vector<PublishedRow>& figure, const PublishedRow& row) {
  const auto found = std::find_if(figure.begin(), figure.end(), [&](const PublishedRow& other) {
    return other.device == row.device && other.setting == row.reference;
  });
  return found == figure.end() ? nullptr : &*found;
}

// The figure's name of the setting, and what that changes in our baseline.
std::string row_name(const PublishedRow& row, const Config& baseline) {
  Config changes;
  for (const auto& [axis, value] : row.changes.entries()) {
    const Value* const before = baseline.find(axis);
    if (before == nullptr || !(*before == value)) changes = changes.with(axis, value);
  }
  const std::string setting =
      is_over_threads(row) ? fmt::format("{}, over {}", row.setting, row.reference) : row.setting;
  return changes.entries().empty() ? setting : fmt::format("{} ({})", setting, changes.to_string(", "));
}

std::vector<std::string> devices_of(const std::vector<PublishedRow>& figure) {
  std::vector<std::string> devices;
  for (const PublishedRow& row : figure) {
    if (std::find(devices.begin(), devices.end(), row.device) == devices.end()) devices.push_back(row.device);
  }
  return devices;
}

// As published, against the CPU reference: the whole program with the transfers, a kernel alone.
Cell cell_over_threads(const PublishedRow& row, const CpuReference& references, const MeasurementRow& ours,
                       std::size_t column) {
  const std::optional<double> time = row.kernel == "total" ? time_with_transfers(ours) : ours.median_ns;
  if (!time) return {{time_text(*ours.median_ns), "?"}, ""};
  const MeasurementRow* const reference =
      row.reference == one_thread ? references.one_thread[column] : references.four_threads[column];
  return {{time_text(*time), reference == nullptr ? "?" : over_reference(reference, *time) + "*"}, ""};
}

// Our time of a setting, and its speedup over the setting that the figure's speedup is over (null where the
// figure has none): paired where that is our baseline, else the ratio of two medians.
Cell our_cell(const PublishedRow& row, const Setting& setting, const Setting* reference, std::size_t column) {
  const MeasurementRow& ours = *setting.cells[column];
  std::string speedup;
  const MeasurementRow* const other = reference == nullptr ? nullptr : reference->cells[column];
  if (reference != nullptr && reference->baseline && !setting.baseline && ours.speedup) {
    speedup = ratio_text(*ours.speedup) + "x" + verdict_mark(ours.verdict);
  } else if (other != nullptr && other != &ours && other->median_ns) {
    speedup = ratio_text(*other->median_ns / *ours.median_ns) + "x*";
  }
  return {{our_amount(row, ours), speedup}, ""};
}

class FigureTable {
 public:
  FigureTable(const TableModel& model, const SettingTable& ours, const std::vector<PublishedRow>& figure)
      : model_(model), ours_(ours), figure_(figure), settings_(ours), devices_(devices_of(figure)) {}

  std::optional<Block> make() {
    Block block{.kind = Block::Kind::table};
    block.header = {"published setting"};
    block.header.insert(block.header.end(), devices_.begin(), devices_.end());
    for (const DeviceColumn& column : model_.columns) block.header.push_back(column.letter + ", here");
    std::vector<std::string> done;
    for (const PublishedRow& row : figure_) {
      const std::string name = row_name(row, settings_.baseline());
      if (std::find(done.begin(), done.end(), name) != done.end()) continue;
      done.push_back(name);
      block.rows.push_back(make_row(row, name));
    }
    if (!any_of_ours_) return std::nullopt;
    return block;
  }

 private:
  std::vector<Cell> make_row(const PublishedRow& row, const std::string& name) {
    std::vector<Cell> cells = {{{name}, ""}};
    for (const std::string& device : devices_) cells.push_back(published_cell(device, name));
    const Setting* const setting = settings_.find(row.changes);
    const PublishedRow* const reference = find_reference(figure_, row);
    const Setting* const reference_setting =
        reference == nullptr ? nullptr : settings_.find(reference->changes);
    for (std::size_t column = 0; column < model_.columns.size(); ++column) {
      const MeasurementRow* const ours = setting == nullptr ? nullptr : setting->cells[column];
      any_of_ours_ = any_of_ours_ || ours != nullptr;
      if (ours == nullptr) {
        cells.push_back({{}, "."});
      } else if (!is_timed(ours)) {
        cells.push_back({{}, ours->status});
      } else if (is_over_threads(row)) {
        cells.push_back(cell_over_threads(row, ours_.cpu_reference, *ours, column));
      } else {
        cells.push_back(our_cell(row, *setting, reference_setting, column));
      }
    }
    return cells;
  }

  [[nodiscard]] Cell published_cell(const std::string& device, const std::string& name) const {
    const auto row = std::find_if(figure_.begin(), figure_.end(), [&](const PublishedRow& other) {
      return other.device == device && row_name(other, settings_.baseline()) == name;
    });
    if (row == figure_.end()) return {{"", ""}, ""};
    return {{published_amount(*row), row->speedup.empty() ? "" : row->speedup + "x"}, ""};
  }

  const TableModel& model_;
  const SettingTable& ours_;
  const std::vector<PublishedRow>& figure_;
  SettingFinder settings_;
  std::vector<std::string> devices_;
  bool any_of_ours_ = false;
};

}  // namespace

std::optional<Block> figure_table(const TableModel& model, const SettingTable& ours,
                                  const std::vector<PublishedRow>& figure) {
  return FigureTable(model, ours, figure).make();
}

}  // namespace dwarfsweep

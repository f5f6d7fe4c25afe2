#include "suite/published/published_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "suite/output/table_cells.hpp"
#include "suite/published/our_speedup.hpp"

namespace dwarfsweep {
namespace {

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

Cell our_cell(const PublishedJoin& join, const PublishedRow& row, std::size_t column) {
  const MeasurementRow& ours = *join.measurement(row, column);
  const std::optional<OurSpeedup> speedup = join.speedup(row, column);
  if (is_over_threads(row)) {
    const double time = PublishedJoin::time_over_threads(row, ours).value_or(*ours.median_ns);
    return {{time_text(time), speedup ? ratio_text(speedup->ratio) + "x*" : "?"}, ""};
  }
  if (!speedup) return {{our_amount(row, ours), ""}, ""};
  const std::string mark = speedup->verdict.empty() ? "*" : verdict_mark(speedup->verdict);
  return {{our_amount(row, ours), ratio_text(speedup->ratio) + "x" + mark}, ""};
}

class FigureTable {
 public:
  FigureTable(const TableModel& model, const SettingTable& ours, const std::vector<PublishedRow>& figure)
      : model_(model), figure_(figure), join_(ours, figure), devices_(devices_of(figure)) {}

  std::optional<Block> make() {
    Block block{.kind = Block::Kind::table};
    block.header = {"published setting"};
    block.header.insert(block.header.end(), devices_.begin(), devices_.end());
    for (const DeviceColumn& column : model_.columns) block.header.push_back(column.letter + ", here");
    std::vector<std::string> done;
    for (const PublishedRow& row : figure_) {
      const std::string name = row_name(row, join_.baseline());
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
    for (std::size_t column = 0; column < model_.columns.size(); ++column) {
      const MeasurementRow* const ours = join_.measurement(row, column);
      any_of_ours_ = any_of_ours_ || ours != nullptr;
      if (ours == nullptr) {
        cells.push_back({{}, "."});
      } else if (!is_timed(ours)) {
        cells.push_back({{}, ours->status});
      } else {
        cells.push_back(our_cell(join_, row, column));
      }
    }
    return cells;
  }

  [[nodiscard]] Cell published_cell(const std::string& device, const std::string& name) const {
    const auto row = std::find_if(figure_.begin(), figure_.end(), [&](const PublishedRow& other) {
      return other.device == device && row_name(other, join_.baseline()) == name;
    });
    if (row == figure_.end()) return {{"", ""}, ""};
    return {{published_amount(*row), row->speedup.empty() ? "" : row->speedup + "x"}, ""};
  }

  const TableModel& model_;
  const std::vector<PublishedRow>& figure_;
  PublishedJoin join_;
  std::vector<std::string> devices_;
  bool any_of_ours_ = false;
};

}  // namespace

std::optional<Block> figure_table(const TableModel& model, const SettingTable& ours,
                                  const std::vector<PublishedRow>& figure) {
  return FigureTable(model, ours, figure).make();
}

}  // namespace dwarfsweep

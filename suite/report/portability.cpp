#include "suite/report/portability.hpp"

#include <algorithm>
#include <cmath>

#include "dwarfs/registry.hpp"
#include "harness/quantile.hpp"
#include "harness/random.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

// The tables of whole runs of a dwarf in which the column has a time, in their order.
std::vector<const SettingTable*> tables_with(const TableModel& model, const std::string& dwarf,
                                             std::size_t column) {
  std::vector<const SettingTable*> found;
  for (const SettingTable& table : model.tables) {
    if (table.kernel == "total" && table.dwarf == dwarf && best_setting(table, column).row != nullptr)
      found.push_back(&table);
  }
  return found;
}

std::optional<double> efficiency_of(const MeasurementRow* row, double shortest_ns) {
  if (row == nullptr || row->status == to_string(Status::not_run)) return std::nullopt;
  return is_timed(row) ? shortest_ns / *row->median_ns : 0;
}

void choose_tables(const TableModel& model, PortableDwarf& dwarf) {
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    const auto tables = tables_with(model, dwarf.dwarf, column);
    if (tables.empty()) continue;
    dwarf.columns.push_back(column);
    dwarf.tables.push_back(tables.front());
  }
  if (dwarf.columns.empty()) return;
  for (const SettingTable* table : tables_with(model, dwarf.dwarf, dwarf.columns.front())) {
    const bool in_all = std::all_of(dwarf.columns.begin(), dwarf.columns.end(), [&](std::size_t column) {
      return best_setting(*table, column).row != nullptr;
    });
    if (!in_all) continue;
    dwarf.tables.assign(dwarf.columns.size(), table);
    return;
  }
  dwarf.same_problem = false;
}

void add_settings(PortableDwarf& dwarf) {
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    for (const Setting& setting : dwarf.tables[device]->settings) {
      const MeasurementRow* const row = setting.cells[dwarf.columns[device]];
      if (row == nullptr || !gives_whole_result(row->dwarf, row->variant)) continue;
      auto known = std::find_if(dwarf.settings.begin(), dwarf.settings.end(),
                                [&](const PortableSetting& each) { return each.config == setting.config; });
      if (known == dwarf.settings.end()) {
        PortableSetting added{setting.config, setting.label, setting.baseline, {}, {}};
        added.cells.resize(dwarf.columns.size());
        added.efficiencies.resize(dwarf.columns.size());
        known = dwarf.settings.insert(dwarf.settings.end(), std::move(added));
      }
      known->cells[device] = row;
      known->efficiencies[device] = efficiency_of(row, *dwarf.best[device].row->median_ns);
    }
  }
}

// The medians of a point's blocks, those by which its row was made.
std::vector<double> block_medians_of(const ReportData& data, const MeasurementRow& row) {
  std::vector<double> medians;
  const auto found = data.blocks.find(point_text(row));
  if (found == data.blocks.end()) return medians;
  const bool again = row.stop_reason == confirmed;
  for (const ReportBlock& block : found->second) {
    if (!block.ns.empty() && block.confirmation == again) medians.push_back(median(block.ns));
  }
  return medians;
}

double resampled_median(const std::vector<double>& values, Random& random) {
  std::vector<double> drawn(values.size());
  for (double& each : drawn) each = values[random.below(values.size())];
  return median(drawn);
}

}  // namespace

double performance_portability(std::span<const double> efficiencies) {
  if (efficiencies.empty()) return NAN;
  double sum = 0;
  for (const double each : efficiencies) {
    if (each <= 0) return 0;
    sum += 1 / each;
  }
  return static_cast<double>(efficiencies.size()) / sum;
}

bool PortableSetting::asked_everywhere() const {
  return std::all_of(efficiencies.begin(), efficiencies.end(),
                     [](const auto& each) { return each.has_value(); });
}

std::optional<double> PortableSetting::portability() const {
  if (!asked_everywhere()) return std::nullopt;
  std::vector<double> values;
  for (const auto& each : efficiencies) values.push_back(*each);
  return performance_portability(values);
}

const PortableSetting* PortableDwarf::best_single() const {
  const PortableSetting* found = nullptr;
  double highest = 0;
  for (const PortableSetting& setting : settings) {
    const double own = setting.portability().value_or(0);
    if (own <= highest) continue;
    found = &setting;
    highest = own;
  }
  return found;
}

const PortableSetting* PortableDwarf::find(const std::string& config) const {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const PortableSetting& each) { return each.config == config; });
  return found == settings.end() ? nullptr : &*found;
}

std::vector<PortableDwarf> portable_dwarfs(const ReportData& data) {
  std::vector<PortableDwarf> found;
  std::string last;
  for (const SettingTable& table : data.model.tables) {
    if (table.dwarf == last) continue;
    last = table.dwarf;
    PortableDwarf dwarf;
    dwarf.dwarf = table.dwarf;
    choose_tables(data.model, dwarf);
    if (dwarf.columns.size() < 2) continue;
    for (std::size_t device = 0; device < dwarf.columns.size(); ++device)
      dwarf.best.push_back(best_setting(*dwarf.tables[device], dwarf.columns[device]));
    add_settings(dwarf);
    found.push_back(std::move(dwarf));
  }
  return found;
}

std::optional<Interval> portability_interval(const ReportData& data, const PortableDwarf& dwarf,
                                             const PortableSetting& setting) {
  constexpr int resamples = 500;
  struct Side {
    std::vector<double> own, best;
    bool same;
  };
  std::vector<Side> sides;
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    if (!is_timed(setting.cells[device])) return std::nullopt;
    Side side{block_medians_of(data, *setting.cells[device]), block_medians_of(data, *dwarf.best[device].row),
              setting.cells[device] == dwarf.best[device].row};
    if (side.own.size() < 2 || side.best.size() < 2) return std::nullopt;
    sides.push_back(std::move(side));
  }
  Random random(1);
  std::vector<double> values;
  for (int i = 0; i < resamples; ++i) {
    std::vector<double> efficiencies;
    for (const Side& side : sides) {
      efficiencies.push_back(
          side.same ? 1 : resampled_median(side.best, random) / resampled_median(side.own, random));
    }
    values.push_back(performance_portability(efficiencies));
  }
  return Interval{quantile(values, 0.025), quantile(values, 0.975)};
}

}  // namespace dwarfsweep

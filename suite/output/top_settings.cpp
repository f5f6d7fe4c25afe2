#include "suite/output/top_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dwarfs/registry.hpp"
#include "suite/output/setting_tables.hpp"
#include "suite/output/table_cells.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t most_shown = 10;

std::vector<const Setting*> top_settings(const SettingTable& table, std::size_t column) {
  std::vector<const Setting*> found;
  for (const Setting& setting : table.settings) {
    const MeasurementRow* const row = setting.cells[column];
    if (is_timed(row) && gives_whole_result(row->dwarf, row->variant)) found.push_back(&setting);
  }
  // Speedups are paired, times may have been taken minutes apart.
  const bool paired = std::all_of(found.begin(), found.end(), [&](const Setting* setting) {
    return setting->baseline || setting->cells[column]->speedup;
  });
  const auto cost = [&](const Setting* setting) {
    if (!paired) return *setting->cells[column]->median_ns;
    return setting->baseline ? 1 : 1 / *setting->cells[column]->speedup;
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Setting* a, const Setting* b) { return cost(a) < cost(b); });
  if (found.size() > most_shown) found.resize(most_shown);
  return found;
}

std::vector<Cell> top_row(const Setting& setting, const MeasurementRow& row) {
  Cell speedup{{"", "", ""}, ""};
  if (!setting.baseline && row.speedup) {
    const double low = row.speedup_low.value_or(0);
    const double high = row.speedup_high.value_or(INFINITY);
    speedup.parts = {ratio_text(*row.speedup, high - low) + "x", interval_text(low, high),
                     verdict_mark(row.verdict)};
  }
  return {{{setting.label}, ""}, {{time_text(*row.median_ns)}, ""}, speedup};
}

}  // namespace

Document top_settings_tables(const TableModel& model) {
  Document document;
  for (const SettingTable& table : model.tables) {
    if (table.kernel != "total") continue;
    for (std::size_t column = 0; column < model.columns.size(); ++column) {
      const std::vector<const Setting*> best = top_settings(table, column);
      if (best.empty()) continue;
      if (document.empty()) document.push_back(heading("The ten best settings of each dwarf"));
      Block block{.kind = Block::Kind::table};
      block.header = {"setting", "time", "over the baseline"};
      for (const Setting* setting : best) block.rows.push_back(top_row(*setting, *setting->cells[column]));
      document.push_back(
          paragraph(fmt::format("{}, device {}:", problem_title(table), model.columns[column].letter)));
      document.push_back(std::move(block));
    }
  }
  return document;
}

}  // namespace dwarfsweep

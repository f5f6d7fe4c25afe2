#include "suite/output/setting_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dwarfs/registry.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/output/table_cells.hpp"

namespace dwarfsweep {
namespace {

// Speedup over one thread and over all threads of the CPU reference: "12.1x / 6.30x".
std::string over_threads(const SettingTable& table, std::size_t column, const MeasurementRow& row) {
  const std::string one = over_reference(table.cpu_reference.one_thread[column], *row.median_ns);
  const std::string all = over_reference(table.cpu_reference.all_threads[column], *row.median_ns);
  return one.empty() && all.empty() ? "" : (one.empty() ? "." : one) + " / " + (all.empty() ? "." : all);
}

// "93% memory": the share of the measured peak that was reached, and the name of the peak.
std::string of_the_peak(const MeasurementRow& row) {
  return row.peak_fraction ? fmt::format("{:.0f}% {}", 100 * *row.peak_fraction, row.bound) : "";
}

// The name of the size; where several problems of the dwarf have that size also what distinguishes this one:
// "paper: n=8192".
std::string size_text(const TableModel& model, const SettingTable& table) {
  const ValueMap own = ValueMap::parse(table.problem);
  std::vector<std::string> apart;
  for (const auto& entry : own.entries()) {
    const bool varies = std::ranges::any_of(model.tables, [&](const SettingTable& other) {
      if (other.dwarf != table.dwarf || other.size != table.size) return false;
      const ValueMap problem = ValueMap::parse(other.problem);
      const Value* const found = problem.find(entry.first);
      return found == nullptr || *found != entry.second;
    });
    if (varies) apart.push_back(entry.first + "=" + entry.second.to_string());
  }
  return apart.empty() ? table.size : fmt::format("{}: {}", table.size, fmt::join(apart, ";"));
}

std::vector<Cell> best_row(const TableModel& model, const SettingTable& table, std::size_t column,
                           const BestSetting& best) {
  const MeasurementRow& row = *best.row;
  Cell speedup{speedup_parts(row, best.setting->baseline), ""};
  if (!speedup.parts.front().empty() && row.stop_reason != confirmed) speedup.parts.back() += "*";
  std::vector<Cell> cells = cells_of({table.dwarf, size_text(model, table), model.columns[column].letter,
                                      best.setting->label, time_text(*row.median_ns)});
  cells.push_back(speedup);
  cells.push_back({{of_the_peak(row)}, ""});
  cells.push_back({{over_threads(table, column, row)}, ""});
  return cells;
}

std::string geometric_means(const TableModel& model, const std::vector<std::vector<double>>& speedups) {
  std::string text;
  for (std::size_t column = 0; column < speedups.size(); ++column) {
    if (speedups[column].size() < 2) continue;
    text += fmt::format("{}{} {}x over {} problems", text.empty() ? "" : "; ", model.columns[column].letter,
                        ratio_text(geometric_mean(speedups[column])), speedups[column].size());
  }
  return text;
}

// One row for each problem and device; `speedups` gets their speedups over the baseline, by column.
Block best_rows(const TableModel& model, std::vector<std::vector<double>>& speedups) {
  Block table{.kind = Block::Kind::table};
  table.header = {"dwarf",   "size",
                  "device",  "best setting",
                  "time",    "over the baseline",
                  "of peak", "over 1 / all threads"};
  table.leading = 4;
  for (const SettingTable& settings : model.tables) {
    if (settings.kernel != "total") continue;
    for (std::size_t column = 0; column < model.columns.size(); ++column) {
      const BestSetting best = best_setting(settings, column);
      if (best.row == nullptr) continue;
      table.rows.push_back(best_row(model, settings, column, best));
      if (best.row->speedup) speedups[column].push_back(best.setting->baseline ? 1 : *best.row->speedup);
    }
  }
  return table;
}

// The last column is empty where the run has no CPU reference.
bool has_cpu_reference(const Block& table) {
  return std::ranges::any_of(table.rows,
                             [](const std::vector<Cell>& row) { return !row.back().parts.front().empty(); });
}

void drop_last_column(Block& table) {
  table.header.pop_back();
  for (std::vector<Cell>& row : table.rows) row.pop_back();
}

std::string explanation(bool cpu_reference) {
  std::string text =
      "Whole executions, from inputs resident on the device to results complete there; \"baseline\" where no "
      "setting is faster by more than noise. "
      "The best candidate was re-measured, and its row shows those measurement blocks alone; * where it was "
      "not, so that its selection biases the speedup upwards. Of peak: the time that its bytes or its "
      "operations, each counted once, would take at the device's measured peak, over its time.";
  if (cpu_reference) {
    text +=
        " Last column: speedup over the CPU reference (the dwarf in plain C++ on the host's cores) on one "
        "thread "
        "and on all threads; ratios of medians, unpaired, from the same run.";
  }
  return text;
}

// If a candidate does not hold up, a sweep continues with the next one, so the point that it has re-measured
// is its best. Of merged shards, however, one may have been stopped before that.
bool is_overtaken(const BestSetting& remeasured, const BestSetting& best) {
  return remeasured.row->run_id.ends_with(merged_suffix) && best.row != nullptr &&
         best.row->speedup_low.value_or(0) > remeasured.row->speedup_high.value_or(INFINITY);
}

}  // namespace

BestSetting best_setting(const SettingTable& table, std::size_t column) {
  BestSetting remeasured;
  BestSetting best;
  BestSetting baseline;
  for (const Setting& setting : table.settings) {
    const MeasurementRow* const row = setting.cells[column];
    if (!is_timed(row) || !gives_whole_result(row->dwarf, row->variant)) continue;
    const auto exceeds = [row](const BestSetting& other) {
      return other.row == nullptr || row->speedup.value_or(0) > other.row->speedup.value_or(0);
    };
    if (row->stop_reason == confirmed && row->verdict == "faster" && exceeds(remeasured))
      remeasured = {&setting, row};
    if (setting.baseline) {
      baseline = {&setting, row};
    } else if (baseline.row != nullptr) {
      if (row->verdict == "faster" && exceeds(best)) best = {&setting, row};
    } else if (best.row == nullptr || *row->median_ns < *best.row->median_ns) {
      best = {&setting, row};
    }
  }
  if (remeasured.row != nullptr && !is_overtaken(remeasured, best)) return remeasured;
  return best.row != nullptr ? best : baseline;
}

Document best_settings_table(const TableModel& model) {
  std::vector<std::vector<double>> speedups(model.columns.size());
  Block table = best_rows(model, speedups);
  if (table.rows.empty()) return {};
  const bool cpu_reference = has_cpu_reference(table);
  if (!cpu_reference) drop_last_column(table);
  Document document = {heading("The best setting of each dwarf"), std::move(table),
                       paragraph(explanation(cpu_reference))};
  const std::string means = geometric_means(model, speedups);
  if (!means.empty()) {
    document.push_back(paragraph(
        "Geometric mean of these speedups over the baseline, of limited meaning since the dwarfs are "
        "unlike programs: " +
        means + "."));
  }
  return document;
}

// --- the ten best of each problem and device ---

namespace {

constexpr std::size_t most_shown = 10;

std::vector<const Setting*> top_settings(const SettingTable& table, std::size_t column) {
  std::vector<const Setting*> found;
  for (const Setting& setting : table.settings) {
    const MeasurementRow* const row = setting.cells[column];
    if (is_timed(row) && gives_whole_result(row->dwarf, row->variant)) found.push_back(&setting);
  }
  // Speedups are paired, times may have been taken minutes apart.
  const bool paired = std::ranges::all_of(
      found, [&](const Setting* setting) { return setting->baseline || setting->cells[column]->speedup; });
  const auto cost = [&](const Setting* setting) {
    if (!paired) return *setting->cells[column]->median_ns;
    return setting->baseline ? 1 : 1 / *setting->cells[column]->speedup;
  };
  std::ranges::stable_sort(found, [&](const Setting* a, const Setting* b) { return cost(a) < cost(b); });
  if (found.size() > most_shown) found.resize(most_shown);
  return found;
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
      for (const Setting* setting : best) {
        const MeasurementRow& row = *setting->cells[column];
        block.rows.push_back({{{setting->label}, ""},
                              {{time_text(*row.median_ns)}, ""},
                              {speedup_parts(row, setting->baseline), ""}});
      }
      document.push_back(
          paragraph(fmt::format("{}, device {}:", problem_title(table), model.columns[column].letter)));
      document.push_back(std::move(block));
    }
  }
  return document;
}

}  // namespace dwarfsweep

#include "suite/output/setting_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "suite/output/table_cells.hpp"

namespace dwarfsweep {

// --- all settings ---

namespace {

bool is_timed_anywhere(const Setting& setting) {
  return std::ranges::any_of(setting.cells, is_timed);
}

std::vector<double> times_of(const SettingTable& table) {
  std::vector<double> times;
  for (const Setting& setting : table.settings) {
    for (const MeasurementRow* row : setting.cells) {
      if (is_timed(row)) times.push_back(*row->median_ns);
    }
  }
  return times;
}

// The time of the CPU reference, and what the device's baseline and best setting gain over it.
std::string reference_text(const MeasurementRow& reference, const SettingTable& table, std::size_t column,
                           const TimeScale& scale) {
  std::string text = scale.text(*reference.median_ns);
  const auto baseline = std::ranges::find_if(table.settings, [&](const Setting& setting) {
    return setting.baseline && setting.cells[column] != nullptr && setting.cells[column]->median_ns;
  });
  if (baseline != table.settings.end()) {
    text += "; baseline " + over_reference(&reference, *baseline->cells[column]->median_ns);
  }
  const BestSetting best = best_setting(table, column);
  if (best.row != nullptr) text += "; best " + over_reference(&reference, *best.row->median_ns);
  return text;
}

void add_reference_row(Block& block, const SettingTable& table,
                       const std::vector<const MeasurementRow*>& references, const char* label,
                       const TimeScale& scale) {
  if (std::ranges::all_of(references, [](const auto* row) { return row == nullptr; })) return;
  std::vector<Cell> cells = {{{label}, ""}};
  for (std::size_t column = 0; column < references.size(); ++column) {
    const MeasurementRow* const reference = references[column];
    cells.push_back({{}, reference == nullptr ? "." : reference_text(*reference, table, column, scale)});
  }
  block.rows.push_back(std::move(cells));
}

// For the head of a column; the list of devices has the whole name.
std::string short_name(const DeviceColumn& column) {
  constexpr std::size_t max_length = 30;
  const std::string name = column.letter + " " + column.any->device;
  return name.size() <= max_length ? name : name.substr(0, max_length - 3) + "...";
}

void add_table(Document& document, const TableModel& model, const SettingTable& table, Footnotes& notes) {
  const TimeScale scale(times_of(table));
  Block block{.kind = Block::Kind::table};
  block.header = {"setting"};
  for (const DeviceColumn& column : model.columns) block.header.push_back(short_name(column));
  for (const Setting& setting : table.settings) {
    // Points that failed on every device are listed only in the table of all kernels.
    if (table.kernel != "total" && !is_timed_anywhere(setting)) continue;
    std::vector<Cell> cells = {{{setting.label}, ""}};
    for (const MeasurementRow* row : setting.cells) {
      cells.push_back(result_cell(row, scale, setting.baseline, notes));
    }
    block.rows.push_back(std::move(cells));
  }
  if (table.kernel == "total") {
    add_reference_row(block, table, table.cpu_reference.one_thread, "CPU reference, one thread (unpaired)",
                      scale);
    add_reference_row(block, table, table.cpu_reference.all_threads, "CPU reference, all threads (unpaired)",
                      scale);
  }
  document.push_back(
      paragraph(fmt::format("{}{}", table.kernel == "total" ? "Whole executions" : "Kernel " + table.kernel,
                            scale.unit().empty() ? ":" : ", in " + scale.unit() + ":")));
  document.push_back(std::move(block));
}

// True for the kernel of a dwarf that has only one: its table would repeat that of all kernels.
bool same_times(const SettingTable& a, const SettingTable& b) {
  if (a.settings.size() != b.settings.size()) return false;
  const auto same = [](const MeasurementRow* left, const MeasurementRow* right) {
    if (left == nullptr || right == nullptr) return left == right;
    return left->median_ns == right->median_ns;
  };
  for (std::size_t i = 0; i < a.settings.size(); ++i) {
    const auto& left = a.settings[i].cells;
    const auto& right = b.settings[i].cells;
    if (!std::equal(left.begin(), left.end(), right.begin(), same)) return false;
  }
  return true;
}

// Adds the tables from `begin` on that are about the same problem, that of all kernels first. Returns the end
// of these tables.
std::size_t add_problem(Document& document, const TableModel& model, std::size_t begin) {
  const SettingTable& total = model.tables[begin];
  std::size_t end = begin;
  while (end < model.tables.size() && problem_title(model.tables[end]) == problem_title(total)) ++end;
  if (total.settings.empty()) return end;  // only the CPU reference was measured
  document.push_back(subheading(problem_title(total)));
  document.push_back(items(total.default_configs));
  Footnotes notes;
  add_table(document, model, total, notes);
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (!same_times(model.tables[i], total)) add_table(document, model, model.tables[i], notes);
  }
  if (!notes.lines().empty()) document.push_back(items(notes.lines()));
  return end;
}

}  // namespace

std::string problem_title(const SettingTable& table) {
  return fmt::format("{}, {} ({})", table.dwarf, table.size, table.problem);
}

Document setting_tables(const TableModel& model) {
  Document document;
  std::string dwarf;
  for (std::size_t i = 0; i < model.tables.size();) {
    if (model.tables[i].dwarf != dwarf) document.push_back(heading(model.tables[i].dwarf));
    dwarf = model.tables[i].dwarf;
    i = add_problem(document, model, i);
  }
  return document;
}

// --- devices against the CPU reference ---

namespace {

std::vector<Cell> row_of(const SettingTable& table, const TableModel& model, std::size_t column,
                         const Setting& setting) {
  const MeasurementRow& row = *setting.cells[column];
  const double time_ns = *time_with_transfers(row);
  return cells_of({table.dwarf, table.problem, model.columns[column].letter, setting.label,
                   time_text(*row.upload_ns), time_text(*row.wall_ns), time_text(*row.download_ns),
                   over_reference(table.cpu_reference.one_thread[column], time_ns),
                   over_reference(table.cpu_reference.all_threads[column], time_ns)});
}

// The baseline, and the setting with the shortest time where that is another.
void add_rows(Block& block, const SettingTable& table, const TableModel& model, std::size_t column) {
  const Setting* best = nullptr;
  for (const Setting& setting : table.settings) {
    const MeasurementRow* const row = setting.cells[column];
    if (row == nullptr || !time_with_transfers(*row)) continue;
    if (setting.baseline) block.rows.push_back(row_of(table, model, column, setting));
    if (best == nullptr || *time_with_transfers(*row) < *time_with_transfers(*best->cells[column]))
      best = &setting;
  }
  if (best != nullptr && !best->baseline) block.rows.push_back(row_of(table, model, column, *best));
}

}  // namespace

std::optional<double> time_with_transfers(const MeasurementRow& row) {
  if (row.status != "ok" || !row.upload_ns || !row.wall_ns || !row.download_ns) return std::nullopt;
  return *row.upload_ns + *row.wall_ns + *row.download_ns;
}

Document cpu_reference_table(const TableModel& model) {
  Block block{.kind = Block::Kind::table};
  block.header = {"dwarf",  "problem",  "device",        "setting",         "upload",
                  "launch", "download", "over 1 thread", "over all threads"};
  block.leading = 4;
  for (const SettingTable& table : model.tables) {
    if (table.kernel != "total") continue;
    for (std::size_t column = 0; column < model.columns.size(); ++column) {
      if (table.cpu_reference.one_thread[column] != nullptr ||
          table.cpu_reference.all_threads[column] != nullptr)
        add_rows(block, table, model, column);
    }
  }
  if (block.rows.empty()) return {};
  return {
      heading("Speedup over the CPU reference, transfers included"), std::move(block),
      paragraph(
          "The baseline, and the setting with the shortest total time: a launch by the host's clock and "
          "the two transfers, which were timed once each. Its speedup is over the dwarf in plain C++ on the "
          "host's cores, on one thread and on all threads: ratios of medians, unpaired.")};
}

}  // namespace dwarfsweep

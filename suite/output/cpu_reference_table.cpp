#include "suite/output/cpu_reference_table.hpp"

#include "suite/output/table_cells.hpp"

namespace dwarfsweep {
namespace {

std::vector<Cell> row_of(const SettingTable& table, const TableModel& model, std::size_t column,
                         const Setting& setting) {
  const MeasurementRow& row = *setting.cells[column];
  const double time_ns = *time_with_transfers(row);
  return {{{table.dwarf}, ""},
          {{table.problem}, ""},
          {{model.columns[column].letter}, ""},
          {{setting.label}, ""},
          {{time_text(*row.upload_ns)}, ""},
          {{time_text(*row.wall_ns)}, ""},
          {{time_text(*row.download_ns)}, ""},
          {{over_reference(table.cpu_reference.one_thread[column], time_ns)}, ""},
          {{over_reference(table.cpu_reference.all_threads[column], time_ns)}, ""}};
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

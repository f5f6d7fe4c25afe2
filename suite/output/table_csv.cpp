#include "suite/output/table_csv.hpp"

#include "suite/record/csv.hpp"

namespace dwarfsweep {
std::string to_csv(const TableModel& model) {
  std::string text =
      "dwarf,size,problem,kernel,setting,host,device,driver,run_id,device_id,status,median_ns,ci_low_ns,ci_"
      "high_ns,speedup,speedup_low,speedup_high,verdict,reason\n";
  const auto number = [](const Number& value) { return value ? number_text(*value) : std::string(); };
  for (const SettingTable& table : model.tables) {
    for (const Setting& setting : table.settings) {
      for (const MeasurementRow* row : setting.cells) {
        if (row == nullptr) continue;
        const std::vector<std::string> cells = {table.dwarf,
                                                table.size,
                                                table.problem,
                                                table.kernel,
                                                setting.label,
                                                row->host,
                                                row->device,
                                                row->driver,
                                                row->run_id,
                                                row->device_id,
                                                row->status,
                                                number(row->median_ns),
                                                number(row->ci_low_ns),
                                                number(row->ci_high_ns),
                                                number(row->speedup),
                                                number(row->speedup_low),
                                                number(row->speedup_high),
                                                row->verdict,
                                                row->reason};
        for (const std::string& cell : cells) text += csv_cell(cell) + ",";
        text.back() = '\n';
      }
    }
  }
  return text;
}

}  // namespace dwarfsweep

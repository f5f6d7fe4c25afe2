#include "suite/report/single_setting.hpp"

#include "dwarfs/registry.hpp"
#include "suite/output/best_settings.hpp"

namespace dwarfsweep {

std::optional<std::size_t> best_single_setting(const SettingTable& table) {
  std::vector<std::size_t> devices;
  std::vector<double> shortest;
  const std::size_t columns = table.settings.empty() ? 0 : table.settings.front().cells.size();
  for (std::size_t column = 0; column < columns; ++column) {
    const BestSetting best = best_setting(table, column);
    if (best.row == nullptr) continue;
    devices.push_back(column);
    shortest.push_back(*best.row->median_ns);
  }
  if (devices.size() < 2) return std::nullopt;
  std::optional<std::size_t> found;
  double lowest = 0;
  for (std::size_t i = 0; i < table.settings.size(); ++i) {
    double slowdowns = 0;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      const MeasurementRow* const row = table.settings[i].cells[devices[d]];
      if (!is_timed(row) || !gives_whole_result(row->dwarf, row->variant)) {
        slowdowns = 0;
        break;
      }
      slowdowns += *row->median_ns / shortest[d];
    }
    if (slowdowns > 0 && (!found || slowdowns < lowest)) {
      found = i;
      lowest = slowdowns;
    }
  }
  return found;
}

}  // namespace dwarfsweep

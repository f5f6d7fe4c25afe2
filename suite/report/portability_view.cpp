#include "suite/report/portability_view.hpp"

#include <algorithm>

namespace dwarfsweep {

const std::string& device_letter(const ReportData& data, const PortableDwarf& dwarf, std::size_t device) {
  return data.model.columns[dwarf.columns[device]].letter;
}

std::string share_text(double value) {
  return value < 0.1 && value > 0 ? fmt::format("{:.2g}", value) : fmt::format("{:.2f}", value);
}

std::string efficiency_text(const PortableSetting& setting, std::size_t device) {
  const MeasurementRow* const row = setting.cells[device];
  if (row == nullptr) return "· not asked";
  if (!setting.efficiencies[device]) return "· not run";
  if (!is_timed(row)) return "✕ cannot run: " + row->status;
  return share_text(*setting.efficiencies[device]);
}

std::vector<ShownSetting> shown_settings(const ReportData& data, const PortableDwarf& dwarf) {
  std::vector<ShownSetting> shown;
  const auto add = [&](const std::string& role, const PortableSetting* setting) {
    if (setting == nullptr) return;
    const auto known = std::find_if(shown.begin(), shown.end(),
                                    [&](const ShownSetting& each) { return each.setting == setting; });
    if (known == shown.end()) {
      shown.push_back({role, setting});
    } else {
      known->role += ", " + role;
    }
  };
  for (const PortableSetting& setting : dwarf.settings) {
    if (setting.baseline && shown.empty()) add("baseline", &setting);
  }
  add("base", dwarf.best_single());
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device)
    add("peak of " + device_letter(data, dwarf, device), dwarf.find(dwarf.best[device].setting->config));
  return shown;
}

}  // namespace dwarfsweep

// What the report shows of portability: the settings in their roles, and what they are called.
#pragma once

#include <string>
#include <vector>

#include "suite/report/html.hpp"
#include "suite/report/portability.hpp"

namespace dwarfsweep {

/// A setting and what it is shown for; a setting may have several roles.
struct ShownSetting {
  std::string role;  ///< "baseline", "base", "peak of A"
  const PortableSetting* setting = nullptr;
};
/// The baseline, the best single setting ("base") and each device's best ("peak").
std::vector<ShownSetting> shown_settings(const ReportData& data, const PortableDwarf& dwarf);

/// "A": of a device of the dwarf.
const std::string& device_letter(const ReportData& data, const PortableDwarf& dwarf, std::size_t device);

/// "0.62", "0.013".
std::string share_text(double value);

/// "not asked", "not run", "cannot run: rejected", or the efficiency.
std::string efficiency_text(const PortableSetting& setting, std::size_t device);

/// Efficiencies from the highest to the lowest, for the settings in their roles: a small plot for each dwarf
/// (J. Sewall and others, "Interpreting and visualizing performance portability metrics", P3HPC 2020).
Html cascade_figure(const ReportData& data, const std::vector<PortableDwarf>& dwarfs);

/// How the best setting of each device fares on each other one, over all dwarfs.
Html transfer_matrix(const ReportData& data, const std::vector<PortableDwarf>& dwarfs);

/// For the first screen: for how many dwarfs one setting does, or one algorithm. Empty where there are no two
/// devices.
Html portability_summary(const ReportData& data);

}  // namespace dwarfsweep

// Does a setting travel? Efficiencies of settings on several devices.
//
// Application efficiency: the shortest time on a device in these runs over the setting's time there.
// Performance portability is Pennycook's: the harmonic mean of the efficiencies, 0 where a device cannot run
// the setting (S. J. Pennycook, J. D. Sewall, V. W. Lee, arXiv 1611.07409). The mean and the least stand
// beside it, and each efficiency, since one number hides which device pays.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/interval.hpp"
#include "suite/output/best_settings.hpp"
#include "suite/report/report_data.hpp"

namespace dwarfsweep {

/// |H| over the sum of 1/e; 0 where one is 0; NaN for none.
double performance_portability(std::span<const double> efficiencies);

/// A setting on the devices of a dwarf.
struct PortableSetting {
  std::string config, label;
  bool baseline = false;
  std::vector<const MeasurementRow*> cells;  ///< by device; null: not asked there
  /// By device: 0 where it cannot run, nothing where it was not asked, or left out for lack of time.
  std::vector<std::optional<double>> efficiencies;

  [[nodiscard]] bool asked_everywhere() const;
  /// None unless it was asked on every device.
  [[nodiscard]] std::optional<double> portability() const;
};

/// A dwarf on those devices that measured it: on one problem where all of them have it, else on each device's
/// own.
struct PortableDwarf {
  std::string dwarf;
  std::vector<std::size_t> columns;         ///< of the model
  std::vector<const SettingTable*> tables;  ///< by device
  std::vector<BestSetting> best;            ///< by device
  std::vector<PortableSetting> settings;
  bool same_problem = true;

  /// The setting with the highest portability above 0; null where none was asked on all devices.
  [[nodiscard]] const PortableSetting* best_single() const;
  [[nodiscard]] const PortableSetting* find(const std::string& config) const;
};

/// Those with two devices or more.
std::vector<PortableDwarf> portable_dwarfs(const ReportData& data);

/// 95 % interval of the portability, by resampling the measurement blocks of the setting and of each device's
/// best, with a fixed seed. None where a point has fewer than two blocks.
std::optional<Interval> portability_interval(const ReportData& data, const PortableDwarf& dwarf,
                                             const PortableSetting& setting);

}  // namespace dwarfsweep

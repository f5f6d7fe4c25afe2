// Does a setting travel? Efficiencies of settings on several devices.
//
// Application efficiency: the shortest time known on a device over the setting's time there, at most 1. By
// the speedups over the same device's baseline, which are paired, where there are any. Known are the settings
// of these runs, and comparison libraries that were measured on the device for the same problem. Performance
// portability is Pennycook's: the harmonic mean of the efficiencies, 0 where a device cannot run the setting
// (S. J. Pennycook, J. D. Sewall, V. W. Lee, arXiv 1611.07409). The mean and the least stand beside it, and
// each efficiency, since one number hides which device pays (A. Marowka, "Reformulation of the performance
// portability metric", 2022).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

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
  /// The same against the devices' measured peaks; none where one of them is not known.
  [[nodiscard]] std::optional<double> portability_of_peak() const;
};

/// A dwarf on one problem, on the devices that measured it; where no two have one in common, on each device's
/// own.
struct PortableDwarf {
  std::string dwarf;
  std::vector<std::size_t> columns;         ///< of the model
  std::vector<const SettingTable*> tables;  ///< by device
  std::vector<BestSetting> best;            ///< by device, of these runs
  /// By device: a library that is faster than that.
  std::vector<std::optional<PeerTime>> library;
  std::vector<PortableSetting> settings;
  bool same_problem = true;

  /// The setting with the highest portability above 0; null where none was asked on all devices.
  [[nodiscard]] const PortableSetting* best_single() const;
  [[nodiscard]] const PortableSetting* find(const std::string& config) const;
  /// The best time known on the device over that of the best setting here; 1 unless a library is faster.
  [[nodiscard]] double share_of_known(std::size_t device) const;
};

/// Those with two devices or more. Of several problems that devices have in common the one that most devices
/// have, and of those the one with most settings asked on all.
std::vector<PortableDwarf> portable_dwarfs(const ReportData& data);

/// Least efficiency from which a setting is said to do.
inline constexpr double good_enough = 0.9;

/// A few settings, or algorithms with a setting for each device, of which each device has one that does.
struct Choice {
  std::vector<std::string>
      names;  ///< of settings their labels, of algorithms their variants; none: no few do
  /// By device: the one that is best there.
  std::vector<const PortableSetting*> settings;
  double least = 0;  ///< of the efficiencies of those settings
};
/// As few as possible, up to three; of as many the ones with the highest least efficiency.
Choice algorithms_needed(const PortableDwarf& dwarf);
Choice settings_needed(const PortableDwarf& dwarf);

}  // namespace dwarfsweep

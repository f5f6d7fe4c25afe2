// Does a setting travel? Efficiencies of settings on several devices.
//
// Application efficiency: the shortest time known on a device over the setting's time there, at most 1. By
// the speedups over the same device's baseline, which are paired, where there are any. Known are the settings
// of these runs, and comparison libraries that were measured on the device for the same problem. Performance
// portability is Pennycook's: the harmonic mean of the efficiencies, 0 where a device cannot run the setting
// (S. J. Pennycook, J. D. Sewall, V. W. Lee, arXiv 1611.07409). The mean, the least and each efficiency
// are shown, too, since one number hides which device pays (A. Marowka, "Reformulation of the performance
// portability metric", 2022).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suite/output/setting_tables.hpp"
#include "suite/report/html.hpp"
#include "suite/report/report.hpp"

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

  [[nodiscard]] std::string variant() const;
  [[nodiscard]] bool asked_everywhere() const;
  /// Empty unless it was measured on every device.
  [[nodiscard]] std::optional<double> portability() const;
  /// The same against the devices' measured peaks; none where one of them is not known.
  [[nodiscard]] std::optional<double> portability_of_peak() const;
};

/// A dwarf on one problem, on the devices that measured it.
struct PortableDwarf {
  const SettingTable* table = nullptr;
  std::vector<std::size_t> columns;  ///< of the model
  std::vector<BestSetting> best;     ///< by device, of these runs
  /// By device: a library that is faster than that.
  std::vector<std::optional<PeerTime>> library;
  std::vector<PortableSetting> settings;

  /// The setting with the highest portability above 0; null where none was asked on all devices.
  [[nodiscard]] const PortableSetting* best_single() const;
  [[nodiscard]] const PortableSetting* find(const std::string& config) const;
  /// The place of a column of the model among its devices.
  [[nodiscard]] std::optional<std::size_t> device_of(std::size_t column) const;
  /// The best time known on the device over that of the best setting here; 1 unless a library is faster.
  [[nodiscard]] double share_of_known(std::size_t device) const;
};

/// The dwarfs that two devices or more measured on one problem. Of several such problems the one that most
/// devices have, and of those the one with most settings asked on all.
std::vector<PortableDwarf> portable_dwarfs(const ReportData& data);

/// Least efficiency from which a setting is good enough.
inline constexpr double good_enough = 0.9;

/// A few algorithms, with a setting for each device.
struct Choice {
  std::vector<std::string> variants;  ///< empty: no few are good enough
  /// By device: the one that is best there.
  std::vector<const PortableSetting*> settings;
  double least = 0;  ///< of the efficiencies of those settings
};
/// As few as possible, up to three; of as many the ones with the highest least efficiency.
Choice algorithms_needed(const PortableDwarf& dwarf);

/// 95 % intervals for one dwarf, by resampling the blocks (visits) of settings and of each device's best,
/// with a fixed seed. The blocks' logarithms of the speedup over the baseline are drawn, so that what drifts
/// during a run cancels; of a point without samples a normal number with the interval of its row. The best
/// time of a library is taken as it is.
class PortabilityIntervals {
 public:
  PortabilityIntervals(const ReportData& data, const PortableDwarf& dwarf) : data_(data), dwarf_(dwarf) {}

  /// None where the setting has no time there, or it is the device's best itself.
  [[nodiscard]] std::optional<Interval> of_efficiency(const PortableSetting& setting, std::size_t device);

  using Summary = std::function<double(const std::vector<double>& efficiencies)>;
  /// Of what `summary` makes of the efficiencies on all devices. None where one of them has no time.
  [[nodiscard]] std::optional<Interval> of_all(const PortableSetting& setting, const Summary& summary);

 private:
  // By resample; empty where there is nothing to draw from.
  const std::vector<double>& log_speedups(const MeasurementRow& row);
  std::vector<double> efficiencies(const PortableSetting& setting, std::size_t device);

  const ReportData& data_;
  const PortableDwarf& dwarf_;
  std::map<const MeasurementRow*, std::vector<double>> drawn_;
};

/// A setting and what it is shown for; a setting may have several roles.
struct ShownSetting {
  const PortableSetting* setting = nullptr;
  bool single = false;               ///< the best single setting for all devices
  std::vector<std::size_t> best_on;  ///< columns

  /// "best single setting, best on H200"; of the baseline "baseline".
  [[nodiscard]] std::string role(const ReportData& data) const;
  /// "single, A".
  [[nodiscard]] std::string short_role(const ReportData& data) const;
};
/// The baseline, the best single setting and each device's best.
std::vector<ShownSetting> shown_settings(const PortableDwarf& dwarf);

/// "0.62", "0.013".
std::string share_text(double value);

/// "not asked", or why the setting has no time there, or the efficiency.
std::string efficiency_text(const PortableSetting& setting, std::size_t device);

/// Efficiencies from the highest to the lowest, for the settings in their roles: a small plot for each dwarf
/// (J. Sewall and others, "Interpreting and visualizing performance portability metrics", P3HPC 2020).
Html cascade_figure(const ReportData& data, const std::vector<PortableDwarf>& dwarfs);

/// How the best setting of each device fares on each other one, over all dwarfs.
Html transfer_matrix(const ReportData& data, const std::vector<PortableDwarf>& dwarfs);

/// For the first screen: for how many dwarfs one setting is good enough, or one algorithm; or why that is not
/// known.
Html portability_summary(const ReportData& data);

}  // namespace dwarfsweep

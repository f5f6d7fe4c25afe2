// How sure efficiencies and their means are: resampling of the measurement blocks.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "harness/statistics/interval.hpp"
#include "suite/report/portability.hpp"

namespace dwarfsweep {

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

}  // namespace dwarfsweep

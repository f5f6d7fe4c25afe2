#include "suite/report/portability_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/statistics/quantile.hpp"
#include "harness/statistics/random.hpp"
#include "suite/report/block_gains.hpp"

namespace dwarfsweep {
namespace {

constexpr int resamples = 500;

// The blocks by which the point's row was made: those of re-measuring alone where it was re-measured.
std::vector<double> log_gains_of(const ReportData& data, const MeasurementRow& row) {
  const auto found = data.blocks.find(point_text(row));
  if (found == data.blocks.end()) return {};
  const bool again = row.stop_reason == confirmed;
  std::vector<ReportBlock> blocks;
  std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(blocks),
               [&](const ReportBlock& block) { return block.confirmation == again; });
  std::vector<double> logs;
  for (const auto& [round, gain] : round_gains(blocks)) logs.push_back(gain);
  return logs;
}

double resampled_median(const std::vector<double>& values, Random& random) {
  std::vector<double> drawn(values.size());
  for (double& each : drawn) each = values[random.below(values.size())];
  return median(drawn);
}

// Box and Muller's transform.
double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform01())) *
         std::cos(2 * std::numbers::pi * random.uniform01());
}

Interval interval_of(const std::vector<double>& values) {
  return {quantile(values, 0.025), quantile(values, 0.975)};
}

}  // namespace

const std::vector<double>& PortabilityIntervals::log_speedups(const MeasurementRow& row) {
  const auto [place, is_new] = drawn_.emplace(&row, std::vector<double>());
  std::vector<double>& draws = place->second;
  if (!is_new) return draws;
  if (row.baseline) {
    draws.assign(resamples, 0);
    return draws;
  }
  Random random(drawn_.size());
  const std::vector<double> logs = log_gains_of(data_, row);
  const bool has_interval = row.speedup && row.speedup_low.value_or(0) > 0 && row.speedup_high;
  for (int i = 0; i < resamples && (logs.size() > 1 || has_interval); ++i) {
    if (logs.size() > 1) {
      draws.push_back(resampled_median(logs, random));
    } else {
      constexpr double half_widths_in_sigma = 1.96;
      const double sigma = std::log(*row.speedup_high / *row.speedup_low) / 2 / half_widths_in_sigma;
      draws.push_back(std::log(*row.speedup) + sigma * normal(random));
    }
  }
  return draws;
}

std::vector<double> PortabilityIntervals::efficiencies(const PortableSetting& setting, std::size_t device) {
  const MeasurementRow* const row = setting.cells[device];
  const MeasurementRow& best = *dwarf_.best[device].row;
  if (!is_timed(row)) return {};
  if (row == &best) return std::vector<double>(resamples, dwarf_.share_of_known(device));
  const std::vector<double> own = log_speedups(*row);
  const std::vector<double>& highest = log_speedups(best);
  std::vector<double> values;
  for (std::size_t i = 0; i < std::min(own.size(), highest.size()); ++i)
    values.push_back(std::min(1.0, std::exp(own[i] - highest[i])) * dwarf_.share_of_known(device));
  return values;
}

std::optional<Interval> PortabilityIntervals::of_efficiency(const PortableSetting& setting,
                                                            std::size_t device) {
  if (setting.cells[device] == dwarf_.best[device].row) return std::nullopt;
  const std::vector<double> values = efficiencies(setting, device);
  return values.empty() ? std::nullopt : std::optional(interval_of(values));
}

std::optional<Interval> PortabilityIntervals::of_all(const PortableSetting& setting, const Summary& summary) {
  std::vector<std::vector<double>> by_device;
  for (std::size_t device = 0; device < dwarf_.columns.size(); ++device) {
    by_device.push_back(efficiencies(setting, device));
    if (by_device.back().empty()) return std::nullopt;
  }
  std::vector<double> values;
  for (int i = 0; i < resamples; ++i) {
    std::vector<double> drawn;
    for (const std::vector<double>& each : by_device) drawn.push_back(each[static_cast<std::size_t>(i)]);
    values.push_back(summary(drawn));
  }
  return interval_of(values);
}

}  // namespace dwarfsweep

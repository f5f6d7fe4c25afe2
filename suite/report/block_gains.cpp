#include "suite/report/block_gains.hpp"

#include <algorithm>
#include <cmath>

#include "harness/statistics/interval.hpp"
#include "harness/statistics/quantile.hpp"

namespace dwarfsweep {

RoundGains round_gains(const std::vector<ReportBlock>& blocks) {
  RoundGains gains;
  for (const ReportBlock& block : blocks) {
    if (block.pairs.empty()) continue;
    std::vector<double> logs;
    for (const SamplePair& pair : block.pairs) logs.push_back(std::log(pair.baseline_ns / pair.variant_ns));
    gains[block.round] = median(logs);
  }
  return gains;
}

Speedup gain_of_logs(double estimate, double low, double high) {
  const Verdict verdict = low > 0 ? Verdict::faster : high < 0 ? Verdict::slower : Verdict::within_noise;
  return {std::exp(estimate), std::exp(low), std::exp(high), verdict};
}

std::optional<Speedup> combined_gain(const std::vector<WeightedGains>& parts) {
  if (parts.empty()) return std::nullopt;
  std::vector<double> sums;
  for (const auto& [round, first] : parts.front().gains) {
    double sum = parts.front().weight * first;
    const bool in_all =
        std::all_of(parts.begin() + 1, parts.end(), [&, at = round](const WeightedGains& part) {
          const auto found = part.gains.find(at);
          if (found == part.gains.end()) return false;
          sum += part.weight * found->second;
          return true;
        });
    if (in_all) sums.push_back(sum);
  }
  if (sums.size() < 2) return std::nullopt;
  const Interval interval = median_interval(sums);
  return gain_of_logs(median(sums), interval.low, interval.high);
}

}  // namespace dwarfsweep

// Gains from blocks: logarithms of a point's speedup over the baseline, by round.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "harness/statistics/statistics.hpp"
#include "suite/report/report_data.hpp"

namespace dwarfsweep {

/// Round -> median of ln(baseline / point) over the pairs of its block.
using RoundGains = std::map<std::int64_t, double>;
RoundGains round_gains(const std::vector<ReportBlock>& blocks);

/// A sum of gains, each times its weight, by the rounds that all of them have; the interval takes a round as
/// one number. None where fewer than two rounds have all.
struct WeightedGains {
  RoundGains gains;
  double weight = 1;
};
std::optional<Speedup> combined_gain(const std::vector<WeightedGains>& parts);

/// exp of the estimate and of its interval, with the verdict.
Speedup gain_of_logs(double estimate, double low, double high);

}  // namespace dwarfsweep

#include "suite/compare/decision.hpp"

#include <algorithm>
#include <cmath>

#include "harness/statistics/interval.hpp"
#include "harness/statistics/quantile.hpp"

namespace dwarfsweep {
namespace {

std::vector<double> stretched(const std::vector<double>& values, double inflation) {
  const double middle = median(values);
  const double factor = std::sqrt(inflation);
  std::vector<double> wider;
  for (const double value : values) wider.push_back(middle + factor * (value - middle));
  return wider;
}

std::vector<double> differences(const BlockLogs& logs) {
  std::vector<double> all;
  for (std::size_t i = 0; i < std::min(logs.before.size(), logs.after.size()); ++i)
    all.push_back(logs.before[i] - logs.after[i]);
  return all;
}

Speedup ratio_of(double log_estimate, Interval interval) {
  const double low = std::exp(interval.low);
  const double high = std::exp(interval.high);
  const Verdict verdict = low > 1 ? Verdict::faster : high < 1 ? Verdict::slower : Verdict::within_noise;
  return {std::exp(log_estimate), low, high, verdict};
}

}  // namespace

std::optional<Speedup> ratio_at(const BlockLogs& logs, double confidence) {
  if (logs.before.empty() || logs.after.empty()) return std::nullopt;
  if (logs.paired) {
    const std::vector<double> each = differences(logs);
    return ratio_of(median(each), median_interval(stretched(each, logs.inflation_before), confidence));
  }
  return ratio_of(median(logs.before) - median(logs.after),
                  median_difference_interval(stretched(logs.before, logs.inflation_before),
                                             stretched(logs.after, logs.inflation_after), confidence));
}

Judgement judge(const Speedup& ratio, double threshold) {
  const double slow = 1 / (1 + threshold);
  const double fast = 1 + threshold;
  if (ratio.high < slow) return Judgement::slower;
  if (ratio.low > fast) return Judgement::faster;
  // Without a threshold an estimate is below 1 for every second unchanged point.
  const bool seems_slower = threshold > 0 && ratio.ratio < slow;
  const bool unbounded = std::isinf(ratio.high);
  return seems_slower || unbounded ? Judgement::undecided : Judgement::unchanged;
}

Decision decide(const std::vector<BlockLogs>& points, double threshold, bool adjust) {
  Decision decision;
  decision.adjusted = adjust;
  std::vector<bool> changed(points.size(), false);
  std::size_t left = points.size();
  for (bool more = true; more;) {
    if (adjust) decision.confidence = 1 - family_error / static_cast<double>(std::max<std::size_t>(1, left));
    decision.ratios.clear();
    more = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
      decision.ratios.push_back(*ratio_at(points[i], decision.confidence));
      const Judgement judgement = judge(decision.ratios.back(), threshold);
      if (changed[i] || (judgement != Judgement::slower && judgement != Judgement::faster)) continue;
      changed[i] = true;
      --left;
      more = adjust;
    }
  }
  return decision;
}

std::size_t blocks_to_decide(const Speedup& ratio, double threshold, std::size_t blocks, double confidence) {
  constexpr double most = 1000;
  // With fewer blocks an interval of this confidence goes beyond all values
  // (harness/statistics/interval.cpp).
  const double least = std::max(5.0, std::ceil(1 + std::log2(1 / (1 - confidence))));
  if (std::isinf(ratio.high)) return static_cast<std::size_t>(least);
  const double gap = std::abs(std::log(ratio.ratio) + std::log1p(threshold));
  const double reach = std::log(ratio.high / ratio.ratio);
  if (gap * std::sqrt(most) <= reach) return static_cast<std::size_t>(most);
  // Half as many again, since the estimate will not stay exactly.
  const double wanted = 1.5 * static_cast<double>(blocks) * std::pow(reach / gap, 2);
  return static_cast<std::size_t>(std::clamp(std::ceil(wanted), least, most));
}

}  // namespace dwarfsweep

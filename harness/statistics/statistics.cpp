#include "harness/statistics/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace dwarfsweep {

double quantile_of_sorted(std::span<const double> sorted, double probability) {
  if (!(probability >= 0.0 && probability <= 1.0)) {
    throw std::invalid_argument(
        fmt::format("quantile probability is {}, it must lie in 0 to 1", probability));
  }
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double position = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

double quantile(std::span<const double> values, double probability) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, probability);
}

double median(std::span<const double> values) {
  return quantile(values, 0.5);
}

double rank_correlation(std::span<const double> a, std::span<const double> b) {
  const auto ranks_of = [](std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
    return ranks;
  };
  if (a.size() != b.size())
    throw std::invalid_argument("a rank correlation is of sequences of the same length");
  if (a.size() < 2) return 0;
  const std::vector<double> ranks_a = ranks_of(a), ranks_b = ranks_of(b);
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (ranks_a[i] - ranks_b[i]) * (ranks_a[i] - ranks_b[i]);
  const auto n = static_cast<double>(a.size());
  return 1 - 6 * squares / (n * (n * n - 1));
}

namespace {

double checked_log(double value) {
  if (value > 0.0 && std::isfinite(value)) return std::log(value);
  throw std::domain_error(fmt::format("a sample is {}, it must be positive and finite", value));
}

/// One number per block with samples: the median of `log_of` of each.
template <typename Sample, typename LogOf>
std::vector<double> block_medians(std::span<const std::vector<Sample>> blocks, LogOf log_of) {
  std::vector<double> medians;
  std::vector<double> logs;
  for (const std::vector<Sample>& block : blocks) {
    if (block.empty()) continue;
    logs.resize(block.size());
    std::transform(block.begin(), block.end(), logs.begin(), log_of);
    medians.push_back(median(logs));
  }
  return medians;
}

/// Of logarithms, in which a small relative step is that step.
Interval at_least(const Interval& interval, double estimate, double tick) {
  if (tick <= 0) return interval;
  return {std::min(interval.low, estimate - tick), std::max(interval.high, estimate + tick)};
}

double log_ratio(const SamplePair& pair) {
  return checked_log(pair.baseline_ns) - checked_log(pair.variant_ns);
}

Verdict verdict_of(double low, double high) {
  if (low > 1.0) return Verdict::faster;
  if (high < 1.0) return Verdict::slower;
  return Verdict::within_noise;
}

}  // namespace

Speedup speedup_of_logs(double estimate, Interval interval) {
  const double low = std::exp(interval.low);
  const double high = std::exp(interval.high);
  return {std::exp(estimate), low, high, verdict_of(low, high)};
}

double geometric_mean(std::span<const double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0.0;
  for (const double value : values) sum += checked_log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

std::optional<Summary> summarise(std::span<const std::vector<double>> blocks, double confidence,
                                 double tick) {
  const std::vector<double> medians = block_medians(blocks, checked_log);
  // Of logarithms, so that widening cannot give a negative time.
  const Interval interval = median_interval(medians, confidence);
  std::vector<double> pooled;
  for (const std::vector<double>& block : blocks) pooled.insert(pooled.end(), block.begin(), block.end());
  if (pooled.empty()) return std::nullopt;
  std::sort(pooled.begin(), pooled.end());

  const double mean = std::accumulate(pooled.begin(), pooled.end(), 0.0) / static_cast<double>(pooled.size());
  double squares = 0.0;
  for (const double sample : pooled) squares += (sample - mean) * (sample - mean);
  const double degrees = std::max(1.0, static_cast<double>(pooled.size()) - 1.0);
  const double pooled_median = quantile_of_sorted(pooled, 0.5);
  const Interval wide = at_least(interval, std::log(pooled_median), tick);
  return Summary{.count = pooled.size(),
                 .blocks = medians.size(),
                 .min = pooled.front(),
                 .q1 = quantile_of_sorted(pooled, 0.25),
                 .median = pooled_median,
                 .q3 = quantile_of_sorted(pooled, 0.75),
                 .mean = mean,
                 .stddev = std::sqrt(squares / degrees),
                 .ci_low = std::min(std::exp(wide.low), pooled_median),
                 .ci_high = std::max(std::exp(wide.high), pooled_median)};
}

std::optional<Speedup> paired_speedup(std::span<const std::vector<SamplePair>> blocks, double confidence,
                                      double tick) {
  const std::vector<double> medians = block_medians(blocks, log_ratio);
  const Interval interval = median_interval(medians, confidence);
  if (medians.empty()) return std::nullopt;
  const double estimate = median(medians);
  return speedup_of_logs(estimate, at_least(interval, estimate, tick));
}

std::optional<Speedup> joined_speedup(std::span<const std::vector<SamplePair>> anchor_blocks,
                                      std::span<const std::vector<SamplePair>> variant_blocks,
                                      double confidence, double tick) {
  const std::vector<double> first = block_medians(anchor_blocks, log_ratio);
  const std::vector<double> second = block_medians(variant_blocks, log_ratio);
  const Interval interval = median_sum_interval(first, second, confidence);
  if (first.empty() || second.empty()) return std::nullopt;
  const double estimate = median(first) + median(second);
  return speedup_of_logs(estimate, at_least(interval, estimate, tick));
}

double relative_half_width(const Speedup& speedup) {
  return 0.5 * (speedup.high - speedup.low) / speedup.ratio;
}
double relative_half_width(const Summary& summary) {
  return 0.5 * (summary.ci_high - summary.ci_low) / summary.median;
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "faster";
    case Verdict::slower:
      return "slower";
    case Verdict::within_noise:
      break;
  }
  return "within noise";
}

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::converged:
      return "converged";
    case StopReason::rounds:
      return "rounds";
    case StopReason::budget:
      return "budget";
    case StopReason::not_stopped:
      break;
  }
  return "not_stopped";
}

StopReason StoppingRule::judge(std::size_t blocks, double half_width) const {
  if (blocks >= min_blocks && half_width <= target_half_width) return StopReason::converged;
  if (blocks >= max_blocks) return StopReason::rounds;
  return StopReason::not_stopped;
}

}  // namespace dwarfsweep

// Summaries of samples, speedups with confidence intervals, and the rule that ends a measurement.
//
// Samples come in blocks: a block holds the samples of one configuration from one measurement block. Samples
// inside a block are correlated (0.85 from one to the next was seen), so that twenty of them carry hardly
// more information than five; only different blocks count as independent. Every interval here is therefore
// made from one number per block, its median, and none depends on the number of samples. No interval from one
// run can cover what stays the same throughout that run and differs between runs: the placement of a buffer,
// the driver, the temperature.
//
// Everything is a pure function of its arguments, so that tables are reproducible exactly: what is resampled
// has a fixed seed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dwarfsweep {

/// Hyndman and Fan's type 7 (the default of R and NumPy; "Sample quantiles in statistical packages", The
/// American Statistician 50, 1996): for n sorted values the quantile at `probability` p is the value at
/// position p (n - 1), counted from 0, with linear interpolation between neighbours. NaN for no values.
/// Throws std::invalid_argument for a probability outside [0, 1].
double quantile(std::span<const double> values, double probability);
/// The same for values that are sorted already.
double quantile_of_sorted(std::span<const double> sorted, double probability);
/// The quantile at 1/2: of an even number of values, the mean of the two in the middle.
double median(std::span<const double> values);

/// Spearman's rank correlation of two sequences of the same length: 0 if they have nothing in common, 1 if
/// they rise and fall together. Equal values rank in their order. 0 for fewer than two values.
double rank_correlation(std::span<const double> a, std::span<const double> b);

/// The probability that an interval made from a fixed number of values covers the true median.
inline constexpr double default_confidence = 0.95;

/// In the unit of the values.
struct Interval {
  double low;
  double high;
};

/// For the median of the distribution from which `values` are independent draws. Contains `median(values)`.
/// Infinite for fewer than two values. Throws std::invalid_argument unless `confidence` is in [0.5, 1).
Interval median_interval(std::span<const double> values, double confidence = default_confidence);

/// For the median of a's distribution minus that of b's. Contains `median(a) - median(b)`. Infinite if either
/// has fewer than two values. Throws as `median_interval`.
Interval median_difference_interval(std::span<const double> a, std::span<const double> b,
                                    double confidence = default_confidence);

/// The t for which P(|T| <= t) is `confidence`, with any real number of degrees of freedom from 1 on.
/// Accurate to 1e-4 for 1 to 200 degrees of freedom (against scipy), which is far finer than an interval
/// needs.
double student_factor(double degrees_of_freedom, double confidence);

/// The confidence to use where the width of the interval itself decides when to stop.
///
/// Such a rule tends to stop when the blocks happen to agree too well. Simulated with at least 5 and at most
/// 40 blocks, a nominal 95 % then covers 90.8 to 95.2 %, a nominal 97 % covers 93.6 to 96.9 % (with at least
/// 3 blocks: 92.5 to 95.9 %). Judging less often, or taking some more blocks after stopping, improved less
/// and cost more time.
inline constexpr double sequential_confidence = 0.97;

/// NaN for no values. Throws std::domain_error for a value that is not positive and finite.
double geometric_mean(std::span<const double> values);

/// In the unit of the samples. All samples have equal weight; only the interval of the median is made by
/// blocks.
struct Summary {
  std::size_t count;   ///< samples in all blocks
  std::size_t blocks;  ///< blocks with at least one sample
  double min, q1, median, q3, mean;
  double stddev;  ///< with n - 1; 0 for one sample
  /// Contains `median`. One block gives no information about others: 0 and infinity.
  double ci_low, ci_high;
};

/// Empty if there is no sample. Blocks without samples are skipped. Throws std::domain_error for a sample
/// that is not positive and finite: a duration of zero is a broken timer, not a fast kernel.
///
/// `tick`: one tick of the timer over the time of a sample. The interval reaches at least that far to both
/// sides: blocks that a coarse timer cannot tell apart are not known exactly.
std::optional<Summary> summarise(std::span<const std::vector<double>> blocks,
                                 double confidence = default_confidence, double tick = 0);

enum class Verdict { faster, slower, within_noise };
std::string_view to_string(Verdict verdict);  ///< "faster", "slower", "within noise"

/// `ratio` above 1: the variant (or the new run) takes less time. The interval contains `ratio`; one block
/// gives 0 and infinity. An interval that contains 1 is `within_noise`.
struct Speedup {
  double ratio;
  double low, high;
  Verdict verdict;
};

/// exp of a logarithm's estimate and of its interval.
Speedup speedup_of_logs(double estimate, Interval interval);

/// Two samples taken one right after the other, in random order.
struct SamplePair {
  double baseline_ns;
  double variant_ns;
};

/// exp of the median over blocks of the median over the block's pairs of ln(baseline / variant). What both
/// samples of a pair share, drift and clock frequency, cancels. Empty if there is no pair; skips and throws
/// as `summarise`. `tick` as there: the sum of those of both sides.
std::optional<Speedup> paired_speedup(std::span<const std::vector<SamplePair>> blocks,
                                      double confidence = default_confidence, double tick = 0);

/// For the median of a's distribution plus that of b's, resampling both; see interval.cpp. Contains
/// `median(a) + median(b)`. Infinite if either has fewer than two values. Throws as `median_interval`.
Interval median_sum_interval(std::span<const double> a, std::span<const double> b,
                             double confidence = default_confidence);

/// The speedup over the baseline of a variant that was paired with an anchor: baseline over anchor, by blocks
/// of the anchor, times anchor over variant, by blocks of the variant. Pairs name what is above the fraction
/// line `baseline_ns`. Empty if a link has no pair; skips and throws as `summarise`. `tick` as there: the sum
/// of those of both links.
std::optional<Speedup> joined_speedup(std::span<const std::vector<SamplePair>> anchor_blocks,
                                      std::span<const std::vector<SamplePair>> variant_blocks,
                                      double confidence = default_confidence, double tick = 0);

/// Half the width of the interval relative to the estimate: 0.01 is "plus or minus one per cent".
double relative_half_width(const Speedup& speedup);
double relative_half_width(const Summary& summary);

/// With every reason but `converged` the interval is wider than the target.
enum class StopReason {
  not_stopped,
  converged,  ///< the interval is as narrow as the target
  rounds,     ///< the maximum number of blocks was taken
  budget,     ///< the caller ran out of time
};
std::string_view to_string(StopReason reason);  ///< the name: "converged"

/// Applied to a configuration after each block. The intervals that it judges must have
/// `sequential_confidence`.
struct StoppingRule {
  double target_half_width = 0.01;  ///< relative
  std::size_t min_blocks = 5;
  std::size_t max_blocks = 40;

  /// `not_stopped`, `converged` or `rounds`; `converged` also where the target is reached with the last
  /// block.
  StopReason judge(std::size_t blocks, double half_width) const;
  bool satisfied(std::size_t blocks, double half_width) const {
    return judge(blocks, half_width) == StopReason::converged;
  }
};

}  // namespace dwarfsweep

// When the difference of two runs counts: intervals, multiplicity, threshold. Pure functions.
//
// *Intervals.* Of a point that was measured in two runs: the difference of the two medians of the logarithms
// of block medians, by harness/statistics/interval.hpp; of one that was measured in two environments by
// turns: the median of the differences of blocks taken one right after the other. The distance of each value
// from its median is first stretched by the square root of the run's variance inflation (block_samples.hpp),
// because these intervals are for independent blocks.
//
// *Multiplicity.* Every point is a test of "nothing has changed", and by 95 % intervals three hundred
// unchanged points make some seven seem slower. Holm's procedure ("A simple sequentially rejective multiple
// test procedure", Scandinavian Journal of Statistics 6, 1979) holds the probability of any false report at
// `family_error`, whatever the points have in common: with r of m points changed so far, the others are
// judged at 1 - family_error / (m - r), until no more change. All intervals shown are those of the last step,
// and so a point is reported exactly if its interval says so.
//
// *Threshold.* Slower by more than the threshold is what the whole interval shows. A point that seems so, but
// whose interval does not show it, is undecided.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {

/// The probability that a comparison of two runs in which nothing differs reports any change, with Holm's
/// procedure: half of it for either direction, one false alarm in a thousand nights.
inline constexpr double family_error = 0.002;

/// Up to so many points are judged each by itself, unless asked otherwise.
inline constexpr std::size_t max_unadjusted_points = 20;

/// A point in both runs. Logarithms of block medians.
struct BlockLogs {
  std::vector<double> before, after;
  bool paired = false;  ///< before[i] and after[i] were taken one right after the other
  double inflation_before = 1, inflation_after = 1;
};

/// Old time over new time, at this confidence. Empty where a side has no block; 0 and infinity where one has
/// a single block (paired: a single pair).
std::optional<Speedup> ratio_at(const BlockLogs& logs, double confidence);

/// Which way a point has changed, by an interval of old time over new time.
enum class Judgement { slower, undecided, faster, unchanged };
Judgement judge(const Speedup& ratio, double threshold);

struct Decision {
  double confidence = default_confidence;  ///< of each point's interval
  bool adjusted = false;
  std::vector<Speedup> ratios;  ///< of the points, in their order
};

/// `points` have blocks on both sides. `threshold` 0.05: 5 %.
Decision decide(const std::vector<BlockLogs>& points, double threshold, bool adjust);

/// How many blocks a side needs, where it has `blocks` now, so that a point of this interval would be decided
/// if its estimate stayed: the width falls by the square root of their number.
std::size_t blocks_to_decide(const Speedup& ratio, double threshold, std::size_t blocks, double confidence);

}  // namespace dwarfsweep

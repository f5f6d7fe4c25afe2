// When the difference of two runs counts: intervals, multiplicity, threshold. Pure functions.
//
// *Intervals.* Of a point that was measured in two runs: the difference of the two medians of the logarithms
// of block medians, by harness/statistics/interval.hpp; of one that was measured in two environments by
// turns: the median of the differences of blocks taken one right after the other. The distance of each value
// from its median is first stretched by the square root of the run's variance inflation (sides.hpp),
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
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {

/// What became of a point between two runs.
enum class Change {
  slower,
  failing,    ///< ok before, not now
  undecided,  ///< seems slower by more than the threshold, but the interval does not show it
  faster,
  fixed,  ///< ok now, not before
  within_noise,
  incomparable,  ///< not ok in both, without samples, or timed by different clocks
};
std::string_view to_string(Change change);

/// The probability that a comparison of two runs in which nothing differs reports any change, with Holm's
/// procedure: half of it for either direction, one false alarm in a thousand nights.
inline constexpr double family_error = 0.002;

/// At most this many points are judged individually, unless an option says otherwise.
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

/// Which way a point has changed, by an interval of old time over new time: slower, undecided, faster or
/// within_noise.
Change judge(const Speedup& ratio, double threshold);

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

struct PatternStep;

/// A regular expression of points' names, as in ECMAScript but without back-references and look-ahead, found
/// anywhere in a name. std::regex overflows the stack, and backtracks without end; this one reads a name
/// once.
class PointPattern {
 public:
  /// Throws UsageError: not a regular expression, or one that is too long.
  explicit PointPattern(const std::string& text);
  [[nodiscard]] bool matches(std::string_view name) const;

 private:
  std::shared_ptr<const std::vector<PatternStep>> steps_;
};

// Known regressions, which count no more until a date: a text file with a line for each,
//
//   # until      points                    reason
//   2027-03-31   ^lud.*variant=blocked     compiler bug 1234, fixed in the next release
//
// the last day on which it holds (UTC), a regular expression without blanks (see PointPattern; \s stands for
// a blank), and the reason, which extends to the end of the line. Lines that begin with # and empty lines are
// skipped.
struct AllowedPoint {
  int line = 0;
  std::string until;   ///< "2027-03-31"
  std::string points;  ///< the regular expression
  std::string reason;
  PointPattern pattern;
};

struct AllowList {
  std::string file;
  std::vector<AllowedPoint> entries;
  std::string today;  ///< "2026-11-22"; entries until before have expired

  /// The entries that match the point, those that hold first.
  [[nodiscard]] std::vector<const AllowedPoint*> matches(const std::string& point) const;
  [[nodiscard]] bool has_expired(const AllowedPoint& entry) const { return entry.until < today; }
};

/// Throws InputError naming file and line. A file or a pipe of at most 1 MiB.
AllowList read_allow_list(const std::string& file, const std::string& today);
/// The same for a text; `file` is its name in messages.
AllowList parse_allow_list(const std::string& file, const std::string& text, const std::string& today);

/// What counts as a change.
struct CompareRule {
  enum class Adjust { by_count, holm, none };
  double threshold = 0;  ///< 0.05: the whole interval lies beyond 5 %
  Adjust adjust = Adjust::by_count;
  std::size_t min_count = 1;  ///< fewer slower points are no regression
  bool only_best = false;     ///< baselines and re-measured best candidates
  std::string filter;         ///< a PointPattern; empty: all
  AllowList allowed;
};

}  // namespace dwarfsweep

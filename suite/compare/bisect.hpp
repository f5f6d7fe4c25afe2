// Between which two rungs of a ladder did a point change? As few measurements as needed, by a sequential test
// with a stated error. Pure functions: what measures is handed in.
//
// *The order of trials.* All points are measured in pairs of the first (good) and the last (bad) rung. Of
// those that became slower by more than the threshold, or fail, one is followed: a failure before a slowdown,
// then the one with the most evidence per block. A binary search compares it on the rung in the middle with
// the good one: for a slowdown of log(r), the rung counts as changed if its time is above that of the good
// rung by more than log(r)/2. So the last unchanged and the first changed rung enclose a change even if there
// are several. Last, these two are compared with each other.
//
// *The test* (SideTest). On which side of a limit is the median of the blocks' log ratios? Let x_i be 1 if
// block i is above the limit, and let "not above" mean that, whatever the blocks before, it is so with a
// probability q of at most 1/2. For every p in [1/2, 1] a bet on "above" multiplies its stake by
// 2 p if x_i = 1 and by 2 (1 - p) if x_i = 0. Its expectation is 2 (1 - p) + q (4 p - 2) <= 1, so the stake
// is a non-negative supermartingale, and so is its mean over p uniform in [1/2, 1],
//
//   E_n = 2^(n+1) * integral from 1/2 to 1 of p^a (1 - p)^(n - a) dp,   a = x_1 + ... + x_n,
//       = 2^(n+1) * B(a + 1, n - a + 1) * P(Bin(n + 1, 1/2) <= a).
//
// By Ville's inequality it ever reaches 1/error with a probability of at most `error`; then the median counts
// as above. The same holds below the limit. The test may stop at any block without correction, and assumes
// nothing of the distribution of noise but its median. Without noise it takes 12 blocks for an error of
// 1/500. It assumes that a block is above the limit no more often after certain blocks before: buffers lie
// elsewhere in every process, so blocks are spread over many processes; and the two sides take turns in
// random order, so that drift meets both.
//
// *The error.* `bisect_error` is the probability, at most, that any decision is on the wrong side. By
// Bonferroni's inequality, half of it is divided among the points, and half among the steps of the search and
// the last comparison. A pair that is still open at its limit of blocks or time goes to the side with more
// blocks, and the result says so.
//
// *Failures.* A point that fails in one process counts as failing. One that worked is tried in
// `failure_trials` processes: a failure of probability f is missed with (1 - f)^failure_trials.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

inline constexpr double bisect_error = 0.02;
inline constexpr int failure_trials = 3;
/// Blocks of a point that a process takes before the next one.
inline constexpr int bisect_blocks_per_process = 3;

class SideTest {
 public:
  enum class Side { open, below, above };

  SideTest(double limit, double error) : limit_(limit), error_(error) {}
  /// A value on the limit says nothing.
  void add(double value);
  [[nodiscard]] Side side() const;
  /// The logarithm of E_n, for the side that has more values.
  [[nodiscard]] double evidence() const;
  /// The side with more values; open if there are as many on both.
  [[nodiscard]] Side majority() const;
  [[nodiscard]] int values() const { return above_ + below_; }

 private:
  double limit_, error_;
  int above_ = 0, below_ = 0;
};

/// The test of these values.
SideTest tested(const std::vector<double>& values, double limit, double error);

/// What is known of a point after measuring it on two rungs.
struct PairEvidence {
  enum class Outcome { works, fails_after, incomparable } outcome = Outcome::works;
  std::vector<double> logs;  ///< of the times on the second rung over those on the first, block by block
  std::string reason;        ///< why it fails, or why it cannot be compared
};

/// Measures these points, by number, on two rungs, by number, until `enough` is known of each.
using MeasureRungs = std::function<std::vector<PairEvidence>(
    std::size_t before, std::size_t after, const std::vector<std::size_t>& points,
    const std::function<bool(const std::vector<double>&)>& enough)>;

enum class PointChange { same, slower, fails, open, incomparable };
std::string_view to_string(PointChange change);

/// A point between the good rung and the bad one; or the followed point between the good rung and another.
struct Judged {
  PointChange change = PointChange::same;
  PairEvidence evidence;
  double ratio = 1;      ///< median time over that on the first rung
  bool guessed = false;  ///< open at the limit: the side with more blocks; or tried in too few processes
};

struct SearchStep {
  std::size_t rung = 0;
  Judged judged;  ///< incomparable: another rung was tried in its place
};

struct Bisection {
  std::vector<Judged> points;  ///< between the first and the last rung, in the order of their numbers
  PointChange found = PointChange::same;  ///< slower or fails; else no point changed, or that is open
  // Of the followed point, where one was found:
  std::size_t point = 0;
  std::vector<SearchStep> steps;
  std::size_t before = 0, after = 0;  ///< the rungs between which it changed
  Judged between;                     ///< the two compared with each other
  std::size_t pairs_of_blocks = 0;    ///< that all of this took
};

/// `threshold` 0.05: slower means slower by more than 5 %.
Bisection bisect_ladder(std::size_t rungs, std::size_t points, double threshold, const MeasureRungs& measure);

}  // namespace dwarfsweep

// The race of one point against the incumbent: as few pairs as show whether it is an improvement. It also
// places all points of a search on one scale of time or energy, and says which of them can still be the best.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

enum class Objective {
  time,
  energy,  ///< of a run; of the whole device, including its idle share
  both,    ///< the search minimises the product; its answer is the Pareto front
};

/// The objective named "time", "energy" or "both".
inline Objective objective_of(const std::string& name) {
  if (name == "energy") return Objective::energy;
  return name == "both" ? Objective::both : Objective::time;
}

/// The times of one run by both clocks; 0: none.
struct RunTimes {
  double span_ns = 0;
  double wall_ns = 0;
  double joules = 0;  ///< if the objective has energy
  double tick = 0;    ///< of the timer, over the time of the sample that the span is from
};

/// ln(time of `other` / time of `own`): above 0 if `own` is the faster. By their spans if both have
/// one, else by their wall times: the two kinds never meet in one ratio.
double log_ratio(const RunTimes& other, const RunTimes& own);
/// The same of what the objective compares. Both: the mean of the logarithms of time and energy, so that
/// what is compared is their product, the energy-delay product.
double log_ratio(Objective objective, const RunTimes& other, const RunTimes& own);

/// A pair of samples, in random order.
struct PairTimes {
  RunTimes reference;
  RunTimes own;
};

/// One measurement block, in the order in which its pairs were taken.
using PairBlock = std::vector<PairTimes>;

/// One for each pair of the block.
std::vector<double> log_ratios(Objective objective, const PairBlock& block);

/// The medians of each kind, of one side; a kind that is missing anywhere is missing. Not of nothing.
RunTimes median_times(const PairBlock& block, RunTimes PairTimes::*side);

/// What ticks of the timer hide of the logarithm of a ratio: the largest of all pairs, both sides together.
double tick_of(Objective objective, const std::vector<PairBlock>& blocks);

/// How much the ratio of one pair deviates: a standard deviation of its logarithm, followed over a whole
/// search.
///
/// The difference of two successive pairs of one block is below 0.954 standard deviations in half of all
/// cases, if it is Gaussian: the estimate rises by a factor with each difference above, and falls by it with
/// each below. So it settles at the median of what is seen, whatever a few disturbed samples look like, and
/// is a single number with which a resumed search continues.
class PairNoise {
 public:
  /// Before anything was seen: 5 %, as on a desktop machine.
  explicit PairNoise(double deviation = 0.05) : deviation_(deviation) {}

  /// The log_ratios of a block.
  void add(const std::vector<double>& ratios);
  [[nodiscard]] double deviation() const { return deviation_; }

 private:
  double deviation_;
};

/// Centre and half-width of an interval, in logarithms.
struct LogInterval {
  double centre = 0;
  double error = 0;

  [[nodiscard]] double low() const { return centre - error; }
  [[nodiscard]] double high() const { return centre + error; }
};

/// The ratio that these pairs show: the median of all, at 2.5 standard errors of a median, because it is
/// looked at after each block. The deviation of a pair is `noise`, or that of the pairs themselves if it is
/// larger. The half-width is at least tick_of(). Precondition: there is at least one pair.
LogInterval ratio_of(Objective objective, const std::vector<PairBlock>& blocks, double noise);

/// Points are named by their index in the group; 0 is the baseline.
class Candidates {
 public:
  struct Block {
    std::size_t point = 0;
    std::size_t reference = 0;  ///< the point that it is paired with: the incumbent, in the end the baseline
    int pairs = 1;
    bool remeasured = false;  ///< taken when the search is over, to confirm what it has found
  };

  Candidates() = default;
  virtual ~Candidates() = default;
  Candidates(const Candidates&) = delete;
  Candidates& operator=(const Candidates&) = delete;

  /// Builds, verifies and warms up the point, and takes one sample. Nothing if it fails.
  virtual std::optional<RunTimes> enter(std::size_t point) = 0;
  /// What a run of the point takes, by the device's counter; nothing if that does not report it.
  virtual std::optional<double> joules(std::size_t point) {
    (void)point;
    return std::nullopt;
  }
  /// A measurement block; if the objective has energy, with that of both. Empty if the point fails, or its
  /// reference does: `runs` says which; or if the time limit of the point is reached.
  virtual PairBlock measure(const Block& block) = 0;
  /// The point is not needed for now: its last output is verified. False if that is wrong.
  virtual bool leave(std::size_t point) = 0;
  /// Entered, and has not failed since.
  [[nodiscard]] virtual bool runs(std::size_t point) const = 0;
};

/// How a point's race ended.
enum class RaceOutcome {
  faster,    ///< than the incumbent, or of less energy: it follows the incumbent
  tied,      ///< nothing separates it from the incumbent
  dropped,   ///< the interval excludes an improvement
  screened,  ///< its first sample took more than twice the incumbent's time
  failed,
};
const char* to_string(RaceOutcome outcome);  ///< the name
/// Empty if there is no outcome of that name.
std::optional<RaceOutcome> outcome_from_string(const std::string& name);

/// A point that ran. Its time is the incumbent's divided by the paired ratio to it, so that drift from one
/// race to the next cancels; so is its energy, and what the objective compares: its cost.
struct Standing {
  std::size_t point = 0;  ///< its index in the group
  /// Natural logarithm of ns, of J, or where the objective is both, the mean of the two.
  double log_cost = 0;
  double error = 0;  ///< half-width of the interval of the ratio to its opponent
  /// The incumbent that it was raced against; none: the scale begins with this point.
  std::optional<std::size_t> opponent = {};
  bool contends = true;  ///< neither screened nor dropped, and no later incumbent was faster than it
  double log_time = 0;   ///< natural logarithm of ns
  std::optional<double> log_joules = {};  ///< if the objective has energy, except for screened points
};

class Standings {
 public:
  void add(const Standing& standing, RaceOutcome outcome);
  /// The point that all others are raced against; null while none has run.
  [[nodiscard]] const Standing* incumbent() const;
  /// Null if it is not known, or was removed.
  [[nodiscard]] const Standing* find(std::size_t point) const;
  /// It failed after all. If it was the incumbent, the fastest contender of the others follows it.
  void remove(std::size_t point);
  /// Half-width of the interval of the ratio of two points, over the incumbents between them.
  [[nodiscard]] double error_between(std::size_t left, std::size_t right) const;
  /// The points that nothing separates from the fastest contender, the fastest first.
  [[nodiscard]] std::vector<Standing> contenders() const;
  /// All that have not been removed.
  [[nodiscard]] const std::vector<Standing>& all() const { return all_; }
  /// The fastest of all, by its estimate.
  [[nodiscard]] const Standing* fastest() const;

 private:
  /// The point and those that it was raced against, one after the other, each with the square of the
  /// half-width.
  [[nodiscard]] std::vector<std::pair<std::size_t, double>> line_of(std::size_t point) const;

  std::vector<Standing> all_;
  std::optional<std::size_t> incumbent_;  // a point
};

/// The state of a search; a killed search continues from the same state.
struct RaceState {
  Standings standings;
  PairNoise noise;
  RunTimes incumbent_times;  ///< the latest
};

/// The rules of a race. The numbers of pairs grow, as each look at the interval costs a little confidence.
struct RaceRules {
  double hopeless = 2;  ///< times the incumbent's time: no more than one sample is spent on it
  /// So many times as fast as the incumbent, it follows that by its sample: pairs with a slow baseline would
  /// take most of a search. Not where energy counts.
  double obvious = 4;
  std::vector<int> pairs = {1, 2, 5, 5, 5};
  /// Blocks without which nothing follows the incumbent, whatever the interval: a single pair may be wrong by
  /// far.
  std::size_t min_blocks = 2;
  int remeasured_pairs = 7;  ///< by which what looks faster is measured again
  double target = 0.02;      ///< relative half-width at which a tie is one
  Objective objective = Objective::time;
};

/// The same for an objective with energy, which takes a second for each pair: fewer of them, each less noisy.
RaceRules race_rules(Objective objective, double target);

struct RaceResult {
  RaceOutcome outcome = RaceOutcome::failed;
  std::optional<Standing> standing;  ///< none: the point failed
};

/// Races a point that has not been raced before, and adds it to the standings. The first one that runs is
/// the incumbent.
RaceResult race(Candidates& candidates, std::size_t point, const RaceRules& rules, RaceState& state);

}  // namespace dwarfsweep

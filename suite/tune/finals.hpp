// When the search is over: which of the last contenders is the best, and which are as good; of a search by
// time and energy, the Pareto front of the two.
#pragma once

#include <chrono>
#include <functional>

#include "harness/statistics/statistics.hpp"
#include "suite/tune/race.hpp"

namespace dwarfsweep {

struct FinalRules {
  std::size_t finalists = 8;
  int pairs = 5;           ///< in a block
  int min_blocks = 3;      ///< before an interval counts
  int max_blocks = 12;     ///< of each finalist, in new blocks
  double target = 0.02;    ///< relative half-width of the intervals
  std::uint64_t seed = 1;  ///< of the order within a round
  Objective objective = Objective::time;
  double confirming_part = 0.25;  ///< of the time, which is kept for the pairs with the baseline
};

/// The same for an objective with energy, which takes a second for each pair: fewer of them.
FinalRules final_rules(Objective objective, double target, std::uint64_t seed);

/// How much of the time for the finals is left, from 1 to 0. A test's need not be time.
using TimeLeft = std::function<double()>;

struct FinalComparison {
  std::size_t point = 0;
  Speedup over_best;  ///< the best point's time over its own; or energy, or both, by the objective
  bool remeasured = false;
};

struct FinalResult {
  std::optional<std::size_t> best;  ///< none: no point ran to the end
  std::optional<Speedup> speedup;   ///< over the baseline, by new blocks; none where the baseline fails
  std::optional<Speedup> saving;    ///< the same of energy, where the objective has it
  std::vector<FinalComparison> tied;
};

/// The last contenders by successive halving: pairs against the leader in rounds, twice as many blocks each
/// time half of them are left out. Then, in new blocks, the others against the leader, which gives way
/// where one turns out to be faster, and the leader against the baseline: at least one block, whatever time
/// is left.
FinalResult run_finals(Candidates& candidates, const Standings& standings, double noise,
                       const FinalRules& rules, const TimeLeft& time_left);

/// Both ratios are of the best point's over its own, by new blocks; 1 of the best point itself.
struct FrontMember {
  std::size_t point = 0;
  Speedup by_time{1, 1, 1, Verdict::within_noise};
  Speedup by_energy{1, 1, 1, Verdict::within_noise};
};

/// By the scale of the search: the points than which no other has both less time and less energy, the fastest
/// first; of more than `most` those in between are thinned out.
std::vector<Standing> estimated_front(const Standings& standings, std::size_t most);

/// The members of the estimated front in new blocks against `best`, at least `rules.min_blocks` whatever
/// time is left. What another member is better than by both intervals is left out.
std::vector<FrontMember> find_front(Candidates& candidates, const Standings& standings, std::size_t best,
                                    const FinalRules& rules, const TimeLeft& time_left);

}  // namespace dwarfsweep

// The race of one point against the incumbent: as few pairs as tell whether it is an improvement.
#pragma once

#include "suite/tune/candidates.hpp"
#include "suite/tune/standings.hpp"

namespace dwarfsweep {

/// Where a search stands; a killed one goes on with the same.
struct RaceState {
  Standings standings;
  PairNoise noise;
  RunTimes incumbent_times;  ///< the latest
};

/// The rules of a race. The numbers of pairs grow, as each look at the interval costs a little confidence.
struct RaceRules {
  double hopeless = 2;  ///< times the incumbent's time: no more than one sample is spent on it
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

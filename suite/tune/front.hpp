// What a search by time and energy has found: the Pareto front of the two.
#pragma once

#include "suite/tune/finals.hpp"

namespace dwarfsweep {

/// Both ratios are of the best point's over its own, by fresh blocks; 1 of the best point itself.
struct FrontMember {
  std::size_t point = 0;
  Speedup by_time{1, 1, 1, Verdict::within_noise};
  Speedup by_energy{1, 1, 1, Verdict::within_noise};
};

/// By the scale of the search: the points than which no other has both less time and less energy, the fastest
/// first; of more than `most` those in between are thinned out.
std::vector<Standing> estimated_front(const Standings& standings, std::size_t most);

/// The members of the estimated front in fresh blocks against `best`, at least `rules.min_blocks` whatever
/// time is left. What another member is better than by both intervals is left out.
std::vector<FrontMember> find_front(Track& track, const Standings& standings, std::size_t best,
                                    const FinalRules& rules, const TimeLeft& time_left);

}  // namespace dwarfsweep

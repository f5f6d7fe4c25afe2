// The one loop over measurement blocks, and the small rules that say when it ends.
//
// `run`, the rounds of a sweep, re-measuring, pairs of environments and the races and finals of a search
// differ in which candidate comes next and in when enough is known of it; they hand both to this loop.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "suite/plan/options.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Whether to stop, given the number of blocks of each candidate. Called before every block.
using StopWhen = std::function<bool(int blocks)>;

StopWhen after_rounds(int rounds);
/// The first `sure` blocks are taken whatever the time.
StopWhen at_deadline(std::chrono::steady_clock::time_point deadline, int sure = 1);
/// No more than `quality` asks for: see converged().
enum class IntervalOf { speedup, time };
StopWhen when_converged(std::function<std::vector<BlockRecord>()> blocks, const Quality& quality,
                        IntervalOf interval = IntervalOf::speedup);
/// When one of them says so.
StopWhen first_of(std::vector<StopWhen> rules);

/// The interval that `quality` asks for has been reached: of the speedup over the baseline if there are
/// pairs, else of the point's own time; or of that in any case. The time is that of all kernels together.
/// `anchor_blocks`: of the anchor that the point is paired with.
bool converged(const std::vector<BlockRecord>& blocks, const Quality& quality,
               IntervalOf interval = IntervalOf::speedup, const std::vector<BlockRecord>& anchor_blocks = {});

/// Rounds of one block of each candidate. `open(round)`: the candidates of this round, in their order; the
/// loop ends with an empty one. `take(candidate, round)`: measures a block. Returns the round that was not
/// completed; that is the number of all rounds if only those were to stop it.
template <typename Open, typename Take>
int measure_blocks(const StopWhen& enough, Open open, Take take, int first_round = 0) {
  int round = first_round;
  for (; !enough(round); ++round) {
    const auto candidates = open(round);
    if (candidates.empty()) return round;
    for (const auto& candidate : candidates) {
      if (enough(round)) return round;
      take(candidate, round);
    }
  }
  return round;
}

/// The same of a single candidate. `take(round)`: false if no block could be measured, which ends the loop.
template <typename Take>
int measure_blocks_of_one(const StopWhen& enough, Take take, int first_round = 0) {
  std::vector<int> the_one = {0};
  return measure_blocks(
      enough, [&](int) { return the_one; },
      [&](int, int round) {
        if (!take(round)) the_one.clear();
      },
      first_round);
}

}  // namespace dwarfsweep

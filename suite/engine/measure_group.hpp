// One turn of a group of a sweep: its points are prepared, measured in rounds, the best candidate is
// re-measured, energies are measured, and every last output is verified.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "suite/engine/measurer.hpp"

namespace dwarfsweep {

/// What the turn is to do.
struct GroupTurn {
  std::vector<SweepPoint*> points;  ///< to prepare, in this order; those whose programs are built go first
  std::chrono::milliseconds share;  ///< of time
  bool brief = false;  ///< the minimum number of blocks is enough for now, and no candidate is re-measured
};

/// The largest part of a turn's share that preparing may take. It is larger if three in four of the measured
/// points have converged, because a few blocks are then enough for the others, too.
double preparing_part(std::size_t measured, std::size_t converged);

/// What is left of the share when preparing ends is for measuring. A point that was prepared gets at least
/// one block; what then lacks time stays open. `client`: of the group's device. Throws Interrupted.
void measure_group(SweepContext& context, BuildAhead& builds, DeviceClient& client, SweepGroup& group,
                   const GroupTurn& turn);

}  // namespace dwarfsweep

// The points of a plan that a shard measures.
#pragma once

#include <vector>

#include "suite/engine/sweep_group.hpp"
#include "suite/plan/options.hpp"

namespace dwarfsweep {

/// Takes from the groups of a plan what other shards measure. Each device's points are dealt out in turn,
/// those that can run and those that cannot each by themselves, so that all shards have about the same work
/// of every dwarf. A group keeps its baseline as long as it keeps any point, so that every point is paired in
/// its own run.
void keep_shard(std::vector<SweepGroup>& groups, const Shard& shard);

}  // namespace dwarfsweep

// Carving on a device: what the points of a pool execute is counted on Oclgrind, and what they need is told
// by the device's compiler, before anything is measured.
#pragma once

#include <chrono>
#include <vector>

#include "suite/engine/sweep_context.hpp"
#include "suite/record/search_record.hpp"
#include "suite/tune/search_group.hpp"

namespace dwarfsweep {

/// Throws UsageError where Oclgrind is not installed.
void require_counter();

/// Takes what is known of the points of the pool, and counts the others in random order, at size tiny, in as
/// many processes as there are cores, until `limit` is over or all are known; then compiles those for a
/// device that tells their registers, for half as long at most. Says how many. Points that are illegal there
/// or take too long are not counted. Throws Interrupted.
std::vector<CountedPoint> count_pool(SearchGroup& searched, const Options& options, std::uint64_t seed,
                                     std::chrono::milliseconds limit);

/// Efficiency, and utilisation where registers are known, with resident groups by the limits of compute
/// capability 9.0.
void set_metrics(SearchGroup& searched, const std::vector<CountedPoint>& counted);

}  // namespace dwarfsweep

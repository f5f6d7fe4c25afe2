// What the points that carving looks at need of a processor, by the compiler of the device: they are compiled
// for it, in several processes, before anything is measured.
#pragma once

#include <chrono>
#include <vector>

#include "suite/plan/options.hpp"
#include "suite/record/search_record.hpp"
#include "suite/tune/search_group.hpp"

namespace dwarfsweep {

/// Adds registers and local memory to what was counted, until `end`. Returns how many points have them: none
/// on CPUs, where they mean nothing, and where the compiler does not tell, which the first program shows.
/// Throws Interrupted.
std::size_t add_needs(SearchGroup& searched, const Options& options, std::vector<CountedPoint>& counted,
                      std::chrono::steady_clock::time_point end);

}  // namespace dwarfsweep

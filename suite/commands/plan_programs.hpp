// `list --programs`: what a compiler gets for the points of a plan.
#pragma once

#include "suite/plan/options.hpp"

namespace dwarfsweep {

/// Prints JSON, an object for each device, dwarf and problem: its programs, each once, and its points with
/// the ids of theirs, or with the reason why they have none. Opens no device, and builds and runs nothing.
/// Returns the exit status.
int print_plan_programs(const Options& options);

}  // namespace dwarfsweep

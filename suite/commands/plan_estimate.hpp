// How many points a plan has on each device, and about how long they take.
#pragma once

#include "suite/plan/options.hpp"

namespace dwarfsweep {

/// Prints a table, or JSON with --json. Returns the exit status. Throws what plan_sweep() throws.
int print_plan_estimate(const Options& options);

}  // namespace dwarfsweep

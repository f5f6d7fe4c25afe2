// The problems that a plan is made for.
#pragma once

#include <string>
#include <vector>

#include "suite/plan/plan.hpp"

namespace dwarfsweep {

/// The problem with the keys of `custom` where it has any; else the problems of the named sizes; without
/// names the published ones for the plan `paper`, and those of size small for every other (the size `auto` is
/// chosen elsewhere). Throws UsageError for an unknown size or key.
std::vector<Problem> plan_problems(const Dwarf& dwarf, const PlanRequest& request,
                                   const std::vector<std::string>& sizes, const ValueMap& custom);

}  // namespace dwarfsweep

// Which axes a plan varies over which values, and where each variant begins.
#pragma once

#include <string>
#include <vector>

#include "suite/plan/plan.hpp"

namespace dwarfsweep {

/// The values an axis takes in this plan: none where it stays at its default.
std::vector<Value> varied_values(const Axis& axis, const PlanRequest& request);

/// The variants asked for by name; else the origin's before all others.
std::vector<std::string> variants_of(const Space& space, const PlanRequest& request, const Config& origin);

/// The default configuration of a variant, with the fixed settings of `request` that have a meaning in it.
Config default_of(const Space& space, const std::string& variant, const Capabilities& capabilities,
                  const PlanRequest& request);

/// The axes that the plan varies within a variant, each with the values it takes.
std::vector<Axis> free_axes(const Space& space, const std::string& variant, const PlanRequest& request);

}  // namespace dwarfsweep

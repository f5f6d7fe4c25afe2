// The axes of des, their defaults and constraints.
#pragma once

#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::des {

Space make_space();

/// Settings to begin with where no point is known: geometry by problem and device.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

}  // namespace dwarfsweep::des

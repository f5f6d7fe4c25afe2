// The axes of hotspot, its default configurations, and which points are legal.
#pragma once

#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::hotspot {

Space make_space();

/// Settings to begin with where no point is known: geometry by problem and device.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

}  // namespace dwarfsweep::hotspot

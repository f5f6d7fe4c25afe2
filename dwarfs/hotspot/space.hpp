// The axes of hotspot, its default configurations, and which points are legal.
#pragma once

#include "harness/space.hpp"

namespace dwarfsweep::hotspot {

Space make_space();

}  // namespace dwarfsweep::hotspot

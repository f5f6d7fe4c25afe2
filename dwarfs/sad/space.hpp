// The axes of sad, its default configurations, and which points are legal.
#pragma once

#include "harness/space/space.hpp"

namespace dwarfsweep::sad {

Space make_space();

}  // namespace dwarfsweep::sad

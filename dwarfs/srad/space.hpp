// The axes of srad, its default configurations, and which points are legal.
#pragma once

#include "harness/space.hpp"

namespace dwarfsweep::srad {

Space make_space();

}  // namespace dwarfsweep::srad

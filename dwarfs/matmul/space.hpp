// The axes of matmul, its default configurations, and which points are legal.
#pragma once

#include "harness/space.hpp"

namespace dwarfsweep::matmul {

Space make_space();

}  // namespace dwarfsweep::matmul

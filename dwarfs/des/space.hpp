// The axes of des, their defaults and constraints.
#pragma once

#include "harness/space.hpp"

namespace dwarfsweep::des {

Space make_space();

}  // namespace dwarfsweep::des

// The axes of bfs, their defaults and constraints.
#pragma once

#include "harness/space/space.hpp"

namespace dwarfsweep::bfs {

const Space& space();

}  // namespace dwarfsweep::bfs

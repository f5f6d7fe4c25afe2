// The axes of kmeans, their defaults and constraints.
#pragma once

#include "harness/space/space.hpp"

namespace dwarfsweep::kmeans {

const Space& space();

}  // namespace dwarfsweep::kmeans

// The axes of sgemv, its default configurations, and which points are legal.
#pragma once

#include <string>
#include <vector>

#include "harness/space/space.hpp"

namespace dwarfsweep::sgemv {

/// The variants that stage x, or x and the matrix, in local memory.
const std::vector<std::string>& staged_variants();

Space make_space();

}  // namespace dwarfsweep::sgemv

// The data of a point's problem.
#pragma once

#include "harness/run/case.hpp"
#include "suite/plan/point_request.hpp"

namespace dwarfsweep {

/// Generates or reads them. Throws UsageError, std::bad_alloc.
Loaded load_data(const PointRequest& request);

}  // namespace dwarfsweep

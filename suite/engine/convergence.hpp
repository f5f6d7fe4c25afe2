// Whether a point has been measured often enough.
#pragma once

#include <vector>

#include "suite/plan/options.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// The interval that `quality` asks for has been reached: of the speedup over the baseline where there are
/// pairs, else of the point's own time. The time is that of all kernels together.
bool converged(const std::vector<BlockRecord>& blocks, const Quality& quality);

/// The same of the point's own time, whether there are pairs or not.
bool time_converged(const std::vector<BlockRecord>& blocks, const Quality& quality);

}  // namespace dwarfsweep

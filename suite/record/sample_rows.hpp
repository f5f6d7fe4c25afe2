// The rows of samples.csv.
#pragma once

#include <string>
#include <vector>

#include "suite/record/point_samples.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// Calls `take_row` with a row for each kernel of each sample of the point: of the point itself and of the
/// baseline paired with it. `run_time`: of the point's whole runs.
void add_sample_rows(const TakeSample& take_row, const std::string& run_id, const PointRecord& point,
                     const std::vector<BlockRecord>& blocks, RunTime run_time);

}  // namespace dwarfsweep

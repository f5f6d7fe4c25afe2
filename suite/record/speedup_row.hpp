// The speedup of one kernel of a point over its baseline: columns of measurements.csv, and a row of
// speedups.csv.
#pragma once

#include <string>

#include "harness/statistics/statistics.hpp"
#include "suite/record/point_samples.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// Sets `speedup` to `verdict` of the row. Returns the row of speedups.csv, with the medians of the pairs in
/// `samples`.
SpeedupRow add_speedup_columns(MeasurementRow& row, const Speedup& speedup, const KernelSamples& samples,
                               const std::string& baseline_config);

}  // namespace dwarfsweep

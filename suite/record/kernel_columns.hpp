// The columns of a measurement that follow from one kernel's samples, work and build.
#pragma once

#include <vector>

#include "suite/record/point_samples.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// From `samples` to `ci_high_ns`; `reason` where samples were dropped.
void add_times(MeasurementRow& row, const KernelSamples& samples);

/// From `bytes` to `items_per_s`: the work of the row's kernel, after its times.
void add_work(MeasurementRow& row, const std::vector<Work>& work);

/// From `local_bytes` to `spill_bytes`: what the compiler reports of the row's kernel; for "total" the
/// maximum of all kernels.
void add_facts(MeasurementRow& row, const std::vector<KernelFacts>& facts);

/// A number that is zero where it is not known.
Number unless_zero(double value);

}  // namespace dwarfsweep

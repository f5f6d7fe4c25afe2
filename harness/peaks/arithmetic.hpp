// Arithmetic rates, and the bandwidth of local memory.
#pragma once

#include "harness/peaks/bench.hpp"

namespace dwarfsweep {

/// Sets gflop_width_<width>_per_s, and raises gflop_per_s, gop_per_s and logic_gop_per_s where this width is
/// faster. Throws PointFailure.
void measure_arithmetic(PeakBench& bench, Peaks& peaks, int width);

/// Sets local_gb_per_s and local_conflict_gb_per_s. Throws PointFailure.
void measure_local_memory(PeakBench& bench, Peaks& peaks);

}  // namespace dwarfsweep

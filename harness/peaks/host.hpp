// The host's time of launches, and the bandwidth of transfers.
#pragma once

#include "harness/peaks/bench.hpp"

namespace dwarfsweep {

/// Sets launch_ns and pipelined_launch_ns. Throws PointFailure.
void measure_launches(PeakBench& bench, Peaks& peaks);

/// Sets upload_gb_per_s and download_gb_per_s. Throws PointFailure.
void measure_transfers(PeakBench& bench, Peaks& peaks);

}  // namespace dwarfsweep

// The bandwidths of global memory and of the caches, and the size of the last-level cache.
#pragma once

#include "harness/peaks/bench.hpp"

namespace dwarfsweep {

/// Sets {read,write,copy,triad}_gb_per_s, read_..._kib_gb_per_s, last_level_cache_bytes and
/// cached_..._gb_per_s, as far as time allows. Throws PointFailure.
void measure_bandwidths(PeakBench& bench, Peaks& peaks);

}  // namespace dwarfsweep

// What a device reaches at best, measured with kernels that do nothing else.
//
// The values, each the median over samples in the best of several settings. 1 GB is 1e9 bytes.
//
// - {read,write,copy,triad}_gb_per_s: beyond the last-level cache
// - read_64_kib_gb_per_s, read_128_kib_gb_per_s ...: reading so much again and again
// - last_level_cache_bytes: the largest size read so that is read clearly faster than memory, in steps of a
// half or
//   less (see last_level_cache_bytes); missing where none was found. Earlier versions: cache_bytes
// - cached_{read,write,copy,triad}_gb_per_s: within a quarter of it
// - gflop_per_s, gflop_width_1_per_s ... gflop_width_16_per_s: single precision; a multiply-add counts two
// - gop_per_s: 32-bit integer additions and exclusive-ors
// - logic_gop_per_s: (x & y) ^ z, counted as two operations
// - local_gb_per_s, local_conflict_gb_per_s: local memory, strides of 1 and of 32 words
// - launch_ns, pipelined_launch_ns: host time of an empty kernel, with a finish each and in a queue of many
// - empty_kernel_ns: START to END of an empty kernel by the device's timer; missing where that is not used
// - upload_gb_per_s, download_gb_per_s: host to device and back, pageable memory
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "harness/device/caches.hpp"
#include "harness/space/dwarf_info.hpp"

namespace dwarfsweep {

class Session;

/// Takes some seconds. Launches and arithmetic come first, then the bandwidths, those beyond the caches
/// before those within; of the rest what is not begun within `limit` is left out.
std::map<std::string, double> measure_peaks(Session& session, std::chrono::milliseconds limit);

/// The name of the peak rate of such operations.
const char* peak_of(Arithmetic arithmetic);

/// What such values say of the caches.
MeasuredCaches caches_of(const std::map<std::string, double>& peaks);

/// `gb_per_s`: of reading, by the bytes that are read repeatedly, at sizes that grow by a half or more;
/// `memory_gb_per_s`: of reading far more than any cache holds, once; 0: not measured. The answer is one of
/// the sizes: the largest that is read clearly faster than memory; 0 where none is, where there are too few
/// sizes, or where even the largest is, so that the curve does not show where the cache ends.
double last_level_cache_bytes(const std::map<double, double>& gb_per_s, double memory_gb_per_s);

}  // namespace dwarfsweep

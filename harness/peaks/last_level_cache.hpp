// The size of the last-level cache, from the bandwidth of reading working sets of many sizes again and again.
#pragma once

#include <map>

namespace dwarfsweep {

/// `gb_per_s`: of reading, by the bytes that are read repeatedly, at sizes that grow by a half or more;
/// `memory_gb_per_s`: of reading far more than any cache holds, once; 0: not measured. The answer is one of
/// the sizes: the largest that is read clearly faster than memory; 0 where none is, where there are too few
/// sizes, or where even the largest is, so that the curve does not show where the cache ends.
double last_level_cache_bytes(const std::map<double, double>& gb_per_s, double memory_gb_per_s);

}  // namespace dwarfsweep

#include "harness/device/caches.hpp"

#include <algorithm>

namespace dwarfsweep {

std::uint64_t last_level_cache_bytes(const DeviceInfo& device, const MeasuredCaches& measured) {
  constexpr std::uint64_t min_unless_measured = 32U << 20U;
  return measured.last_level_bytes > 0 ? measured.last_level_bytes
                                       : std::max(device.global_cache_bytes, min_unless_measured);
}

std::uint64_t displacing_bytes(const DeviceInfo& device, const MeasuredCaches& measured) {
  return 2 * last_level_cache_bytes(device, measured);
}

// Memory delivers at least 10 bytes per nanosecond; where it was measured, a kernel that reads it badly gets
// at least a quarter of that.
bool caches_matter(const DeviceInfo& device, const CacheOptions& options, std::uint64_t bytes,
                   double run_ns) {
  const double measured = options.measured.memory_gb_per_s;
  const double bytes_per_ns = measured > 0 ? measured / 4 : 10;
  return bytes <= displacing_bytes(device, options.measured) &&
         static_cast<double>(bytes) / bytes_per_ns > options.max_effect * run_ns;
}

}  // namespace dwarfsweep

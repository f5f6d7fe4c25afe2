// The host's clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace dwarfsweep {

/// Nanoseconds of the steady clock since an unspecified epoch.
inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// What a timer of resolution `tick_ns` may report for commands during which the host waited `host_ns`: its
/// clock and the host's drift apart by up to 2 %, and neither is read at the very instant.
inline double max_device_ns(double host_ns, std::int64_t tick_ns) {
  return 1.02 * host_ns + 1000 + static_cast<double>(tick_ns);
}

}  // namespace dwarfsweep

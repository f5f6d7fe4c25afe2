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

}  // namespace dwarfsweep

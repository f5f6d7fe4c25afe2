// For Space::default_setting: what fits the vector registers of a CPU. Asked by capability; what a driver
// does not tell is taken for the more modest.
#pragma once

#include "harness/space/space.hpp"

namespace dwarfsweep {

/// Floats of a vector register: 16 (AVX-512), 8 (AVX) or 4 (SSE, NEON, and where it is not known).
inline std::int64_t register_lanes(const Capabilities& device) {
  return device.float_lanes >= 16 ? 16 : device.float_lanes >= 8 ? 8 : 4;
}

/// Vector registers of a core for certain: those of 16 floats come by 32, narrower ones by 16 at least.
inline std::int64_t vector_registers(const Capabilities& device) {
  return register_lanes(device) == 16 ? 32 : 16;
}

/// A CPU whose vector registers hold so many floats, 4, 8 or 16.
inline bool is_cpu_of_lanes(const Capabilities& device, std::int64_t lanes) {
  return !device.is_gpu && register_lanes(device) == lanes;
}

}  // namespace dwarfsweep

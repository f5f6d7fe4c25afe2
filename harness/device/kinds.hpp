// For Space::default_setting: kinds of devices on which a setting is where a variant begins. All are asked by
// capability; what a driver does not report is taken for the more modest.
#pragma once

#include <algorithm>

#include "harness/space/space.hpp"

namespace dwarfsweep {

/// Floats of a vector register: 16 (AVX-512), 8 (AVX) or 4 (SSE, NEON, and where it is not known).
inline std::int64_t register_lanes(const Capabilities& device) {
  return device.float_lanes >= 16 ? 16 : device.float_lanes >= 8 ? 8 : 4;
}

/// A CPU whose vector registers hold that many floats: 4, 8 or 16.
inline bool is_cpu_of_lanes(const Capabilities& device, std::int64_t count) {
  return !device.is_gpu && register_lanes(device) == count;
}

/// A GPU whose work-items have few registers: where 8 or 16 of them may run in lockstep, they share those
/// of a thread, of 4 or 8 KiB: at most 128 numbers for each. Waves of 64 and warps have up to 256.
inline bool has_few_registers(const Capabilities& device) {
  const std::vector<std::uint32_t>& sizes = device.sub_group_sizes;
  const bool wide =
      device.inline_ptx || (!sizes.empty() && *std::min_element(sizes.begin(), sizes.end()) >= 32);
  return device.is_gpu && !wide;
}

/// A GPU whose work-items run in lockstep by 64, and by fewer only where half of them are idle.
inline bool has_waves_of_64(const Capabilities& device) {
  const std::vector<std::uint32_t>& sizes = device.sub_group_sizes;
  return device.is_gpu && !sizes.empty() && *std::min_element(sizes.begin(), sizes.end()) == 64;
}

/// A GPU whose work-items run in lockstep by 32 or 64 and have up to 256 registers each. The compiler takes
/// as many as a kernel needs: the more, the fewer waves run at the same time.
inline bool has_waves(const Capabilities& device) {
  return device.is_gpu && !device.inline_ptx && !has_few_registers(device);
}

/// The approximate maximum of numbers that a GPU's work-item can keep in registers.
inline std::int64_t item_registers(const Capabilities& device) {
  return has_few_registers(device) ? 128 : 256;
}

/// A GPU whose local memory is global memory: to copy something there saves nothing.
inline bool lacks_local_memory(const Capabilities& device) {
  return device.is_gpu && !device.local_is_dedicated;
}

}  // namespace dwarfsweep

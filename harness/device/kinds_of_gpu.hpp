// For Space::default_setting: on which GPUs a setting is where a variant begins. All are asked by capability;
// what a driver does not tell is taken for the more modest.
#pragma once

#include <algorithm>

#include "harness/space/space.hpp"

namespace dwarfsweep {

/// A GPU of whose registers a work-item has few: where 8 or 16 of them may run in lockstep, they share those
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

/// A GPU whose work-items run in lockstep by 32 or 64 and have up to 256 registers each, of which the
/// compiler takes what a kernel wants: the more, the fewer waves run side by side.
inline bool has_waves(const Capabilities& device) {
  return device.is_gpu && !device.inline_ptx && !has_few_registers(device);
}

/// About so many numbers a work-item of a GPU can have in registers at most.
inline std::int64_t item_registers(const Capabilities& device) {
  return has_few_registers(device) ? 128 : 256;
}

/// A GPU whose local memory is global memory: to copy something there saves nothing.
inline bool lacks_local_memory(const Capabilities& device) {
  return device.is_gpu && !device.local_is_dedicated;
}

}  // namespace dwarfsweep

#include "harness/device/device.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

namespace dwarfsweep {

std::string DeviceInfo::why_groups_must_not_wait() const {
  if (!capabilities.orders_groups())
    return "its OpenCL C has no atomics that acquire and release at the scope of the device";
  return progress.fault;
}

bool DeviceInfo::spin_waiting_is_cheap() const {
  if (type != "cpu") return false;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return false;
  return groups_may_wait() && capabilities.compute_units <= static_cast<std::uint32_t>(CPU_COUNT(&cores));
}

void DeviceInfo::derive_capabilities() {
  capabilities.is_gpu = type == "gpu" || type == "accelerator";
  capabilities.fp64 = has_extension("cl_khr_fp64");
  capabilities.inline_ptx = has_extension("cl_nv_pragma_unroll");
  capabilities.sub_group_shuffles = newest_c_version != "1.2" && has_extension("cl_khr_subgroup_shuffle");
  capabilities.requires_sub_group_size = has_extension("cl_intel_required_subgroup_size");
}

bool DeviceInfo::has_extension(const std::string& extension) const {
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::string describe(const DeviceInfo& device) {
  return fmt::format("{} {} {} ({})", device.index, device.type, device.name, device.platform);
}

}  // namespace dwarfsweep

// The devices that can be simulated. Their figures are those of a device of the kind as its vendor documents
// it, or as clinfo prints it there.
#include <cstdio>
#include <cstdlib>
#include <map>

#include "simulated_device.hpp"

namespace {

std::set<std::string> with_common(std::set<std::string> extensions) {
  extensions.insert({"cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
                     "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics",
                     "cl_khr_byte_addressable_store"});
  return extensions;
}

// Of the kind of an MI210 (gfx90a): waves of 64, groups of 256, no images. ROCm's OpenCL is 2.0, whose
// atomics acquire and release at the scope of the device; shuffles are rusticl's on such a device. Durations
// of billions of seconds are from reports about integrated GPUs.
SimulatedDevice amd_like() {
  SimulatedDevice::Traits traits{
      .platform = "Simulated Parallel Processing",
      .platform_version = "OpenCL 2.1 simulated",
      .name = "sim90a",
      .vendor = "Simulated Micro Devices",
      .driver_version = "3602.0 (simulated)",
      .version = "OpenCL 2.0",
      .c_version = "OpenCL C 2.0",
      .extensions = with_common({"cl_khr_fp64", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics",
                                 "cl_khr_fp16", "cl_khr_subgroups", "cl_khr_subgroup_shuffle",
                                 "cl_khr_subgroup_shuffle_relative"}),
      .queries = {"cl_amd_device_attribute_query"},
      .compute_units = 104,
      .clock_mhz = 1700,
      .fp64 = true,
      .images = false,
      .unified_memory = false,
      .sub_group_sizes = {64},
      .only_sub_group_size = 64};
  return {std::move(traits), SimulatedDevice::Timer::now_and_then_for_ages};
}

// Of the kind of a Xe-LP or DG2: sub-groups of 8 to 32, which a kernel can require, groups of 512, no fp64.
// QUEUED and SUBMIT are by another clock than START and END, whose ticks are 52 ns.
SimulatedDevice intel_like() {
  SimulatedDevice::Traits traits{
      .platform = "Simulated OpenCL Graphics",
      .platform_version = "OpenCL 3.0",
      .name = "Simulated Graphics [0x56a0]",
      .vendor = "Simulated Corporation",
      .driver_version = "24.35 (simulated)",
      .version = "OpenCL 3.0 NEO",
      .c_version = "OpenCL C 1.2",
      .extensions = with_common({"cl_khr_fp16", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics",
                                 "cl_khr_subgroups", "cl_intel_subgroups", "cl_intel_required_subgroup_size",
                                 "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
                                 "cl_khr_subgroup_ballot"}),
      .compute_units = 96,
      .clock_mhz = 2100,
      .work_group = 512,
      .constant_bytes = 4 << 20,
      .tick_ns = 52,
      .sub_group_sizes = {8, 16, 32}};
  return {std::move(traits), SimulatedDevice::Timer::other_clock_until_start};
}

// Cards of one kind, distinguished by their PCI addresses: as many as the driver has devices.
SimulatedDevice twin() {
  SimulatedDevice::Traits traits{.platform = "Simulated Twin Platform",
                                 .platform_version = "OpenCL 1.2 twin",
                                 .name = "Sim-Twin",
                                 .vendor = "Simulated Twins",
                                 .driver_version = "1.0 (simulated)",
                                 .version = "OpenCL 1.2 twin",
                                 .c_version = "OpenCL C 1.2",
                                 .extensions = with_common({"cl_khr_fp64"}),
                                 .queries = {"cl_khr_pci_bus_info"},
                                 .compute_units = 8,
                                 .fp64 = true,
                                 .unified_memory = false};
  return {std::move(traits), SimulatedDevice::Timer::coarse};
}

// Of the kind of a Mali-G76: local memory is global memory, groups of 384, which is no power of two,
// OpenCL 1.2, neither fp64 nor sub-groups. Ticks are of a microsecond, so short kernels take no time.
SimulatedDevice mali_like() {
  SimulatedDevice::Traits traits{.platform = "Simulated Mobile Platform",
                                 .platform_version = "OpenCL 1.2 v1.r14p0",
                                 .name = "Sim-G76",
                                 .vendor = "Simulated Limited",
                                 .driver_version = "1.2 (simulated)",
                                 .version = "OpenCL 1.2 v1.r14p0",
                                 .c_version = "OpenCL C 1.2 v1.r14p0",
                                 .extensions = with_common({"cl_khr_fp16", "cl_khr_int64_base_atomics"}),
                                 .compute_units = 12,
                                 .clock_mhz = 720,
                                 .work_group = 384,
                                 .local_bytes = 32 << 10,
                                 .local_type = CL_GLOBAL,
                                 .tick_ns = 1000};
  return {std::move(traits), SimulatedDevice::Timer::coarse};
}

}  // namespace

const SimulatedDevice* SimulatedDevice::wanted() {
  const char* const name = std::getenv("FAULT_DEVICE");
  if (!name) return nullptr;
  static const std::map<std::string, SimulatedDevice> devices = {
      {"amd", amd_like()}, {"intel", intel_like()}, {"mali", mali_like()}, {"twin", twin()}};
  const auto found = devices.find(name);
  if (found == devices.end()) {
    std::fprintf(stderr, "FAULT_DEVICE is '%s'; there are amd, intel, mali and twin\n", name);
    std::abort();
  }
  return &found->second;
}

#include "tests/made_up_devices.hpp"

#include <algorithm>

#include "tests/catch.hpp"

namespace dwarfsweep::test {
namespace {

constexpr std::uint64_t kibibyte = 1024;
constexpr std::uint64_t gibibyte = 1ULL << 30U;

DeviceInfo gpu(const std::string& name, std::uint32_t compute_units, std::uint64_t group_items,
               std::uint64_t local_bytes, std::vector<std::uint32_t> sub_group_sizes) {
  DeviceInfo device;
  device.index = "0:0";
  device.name = device.id = name;
  device.platform = device.vendor = "none";
  device.type = "gpu";
  device.version = "OpenCL 3.0";
  device.c_version = "OpenCL C 1.2";
  device.newest_c_version = "3.0";
  device.extensions = {"cl_khr_fp64", "cl_khr_global_int32_base_atomics"};
  Capabilities& has = device.capabilities;
  has.work_group_items = group_items;
  std::fill_n(has.work_item_sizes, 3, group_items);
  has.local_bytes = local_bytes;
  has.constant_bytes = 64 * kibibyte;
  has.global_bytes = 16 * gibibyte;
  has.allocation_bytes = 4 * gibibyte;
  has.local_is_dedicated = true;
  has.images = true;
  has.fma = true;
  has.ordered_atomics = true;
  has.compute_units = compute_units;
  has.sub_group_sizes = std::move(sub_group_sizes);
  return device;
}

}  // namespace

std::vector<DeviceInfo> made_up_gpus() {
  DeviceInfo waves = gpu("waves of 64", 104, 256, 64 * kibibyte, {64});
  waves.newest_c_version = "2.0";
  waves.extensions.insert(waves.extensions.end(), {"cl_khr_subgroups", "cl_amd_device_attribute_query"});

  DeviceInfo sub_groups = gpu("sub-groups of 8 to 32", 128, 1024, 64 * kibibyte, {8, 16, 32});
  sub_groups.extensions.insert(sub_groups.extensions.end(),
                               {"cl_khr_subgroups", "cl_khr_subgroup_shuffle", "cl_intel_subgroups",
                                "cl_intel_required_subgroup_size"});

  // Its local memory is in global memory; neither doubles nor images; the driver does not report its
  // sub-groups.
  DeviceInfo mobile = gpu("mobile", 8, 256, 32 * kibibyte, {});
  mobile.extensions = {"cl_khr_global_int32_base_atomics", "cl_khr_subgroups", "cl_khr_subgroup_shuffle"};
  mobile.capabilities.local_is_dedicated = false;
  mobile.capabilities.images = false;
  mobile.capabilities.unified_memory = true;

  // OpenCL 1.2 alone: nothing orders its groups.
  DeviceInfo integrated = gpu("integrated", 8, 256, 32 * kibibyte, {});
  integrated.newest_c_version = "1.2";
  integrated.capabilities.ordered_atomics = false;
  integrated.capabilities.unified_memory = true;

  std::vector<DeviceInfo> devices{waves, sub_groups, mobile, integrated};
  for (DeviceInfo& device : devices) device.derive_capabilities();
  return devices;
}

std::vector<DeviceInfo> made_up_cpus() {
  std::vector<DeviceInfo> devices;
  for (const std::uint32_t lanes : {0U, 4U, 8U, 16U}) {
    DeviceInfo& cpu =
        devices.emplace_back(gpu("vectors of " + std::to_string(lanes), 16, 4096, 512 * kibibyte, {}));
    cpu.type = "cpu";
    cpu.capabilities.local_is_dedicated = false;
    cpu.capabilities.unified_memory = true;
    cpu.capabilities.float_lanes = lanes;
    cpu.derive_capabilities();
  }
  return devices;
}

DeviceInfo made_up_gpu(const std::string& name) {
  const std::vector<DeviceInfo> devices = made_up_gpus();
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const DeviceInfo& device) { return device.name == name; });
  REQUIRE(found != devices.end());
  return *found;
}

}  // namespace dwarfsweep::test

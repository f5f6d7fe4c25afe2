#include "harness/device/opencl.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "harness/space/text.hpp"

namespace dwarfsweep {
namespace {

// cl_nv_device_attribute_query; Debian's headers lack these two.
constexpr cl_device_info device_pci_bus_id_nv = 0x4008;
constexpr cl_device_info device_pci_slot_id_nv = 0x4009;
constexpr cl_device_info device_pci_bus_info_khr = 0x410F;  // domain, bus, device, function
constexpr cl_device_info device_compute_capability_major_nv = 0x4000;
constexpr cl_device_info device_compute_capability_minor_nv = 0x4001;
constexpr cl_device_info device_warp_size_nv = 0x4003;
constexpr cl_device_info device_wavefront_width_amd = 0x4043;
constexpr cl_device_info device_sub_group_sizes_intel = 0x4108;

std::string type_name(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return "gpu";
  if (type & CL_DEVICE_TYPE_CPU) return "cpu";
  if (type & CL_DEVICE_TYPE_ACCELERATOR) return "accelerator";
  return "other";
}

std::string hexadecimal(const std::vector<unsigned char>& bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

// An identity that does not depend on the order in which platforms are reported. PoCL and llvmpipe give UUIDs
// of zeros or none; for them the names of platform and device are used.
std::string identity(const cl::Device& device, const DeviceInfo& info) {
  if (info.has_extension("cl_khr_device_uuid")) {
    std::vector<unsigned char> uuid(CL_UUID_SIZE_KHR);
    if (clGetDeviceInfo(device(), CL_DEVICE_UUID_KHR, uuid.size(), uuid.data(), nullptr) == CL_SUCCESS &&
        std::any_of(uuid.begin(), uuid.end(), [](unsigned char byte) { return byte != 0; })) {
      return "uuid-" + hexadecimal(uuid);
    }
  }
  if (info.has_extension("cl_nv_device_attribute_query")) {
    cl_uint bus = 0;
    cl_uint slot = 0;
    if (clGetDeviceInfo(device(), device_pci_bus_id_nv, sizeof bus, &bus, nullptr) == CL_SUCCESS &&
        clGetDeviceInfo(device(), device_pci_slot_id_nv, sizeof slot, &slot, nullptr) == CL_SUCCESS) {
      return fmt::format("pci-{:02x}:{:02x}", bus, slot);
    }
  }
  if (info.has_extension("cl_khr_pci_bus_info")) {
    std::array<cl_uint, 4> address{};
    if (clGetDeviceInfo(device(), device_pci_bus_info_khr, sizeof address, address.data(), nullptr) ==
        CL_SUCCESS) {
      const std::string domain = address[0] == 0 ? "" : fmt::format("{:04x}:", address[0]);
      return fmt::format("pci-{}{:02x}:{:02x}", domain, address[1], address[2]);
    }
  }
  return info.platform + "/" + info.name;
}

// A query that a driver may refuse: then the value is left unchanged.
template <cl_device_info Name, typename Field>
void query(const cl::Device& device, Field& field) {
  try {
    field = static_cast<Field>(device.getInfo<Name>());
  } catch (const cl::Error&) {
  }
}

Capabilities capabilities_of(const cl::Device& device) {
  Capabilities capabilities;
  query<CL_DEVICE_MAX_WORK_GROUP_SIZE>(device, capabilities.work_group_items);
  const auto sizes = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  for (std::size_t i = 0; i < std::min<std::size_t>(3, sizes.size()); ++i)
    capabilities.work_item_sizes[i] = sizes[i];
  query<CL_DEVICE_LOCAL_MEM_SIZE>(device, capabilities.local_bytes);
  query<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>(device, capabilities.constant_bytes);
  query<CL_DEVICE_GLOBAL_MEM_SIZE>(device, capabilities.global_bytes);
  query<CL_DEVICE_MAX_MEM_ALLOC_SIZE>(device, capabilities.allocation_bytes);
  cl_bool images = CL_FALSE;
  query<CL_DEVICE_IMAGE_SUPPORT>(device, images);
  capabilities.images = images == CL_TRUE;
  return capabilities;
}

// The newest version that programs can be built for: "1.2", "2.0" or "3.0". A driver of OpenCL 3.0 may name
// 1.2 as its version of OpenCL C and take 3.0 as well (PoCL 3.1); one of OpenCL 2 has no list.
std::string newest_c_version(const cl::Device& device, const DeviceInfo& info) {
  cl_name_version versions[64] = {};
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof versions, versions, &bytes) !=
      CL_SUCCESS) {
    return info.c_version.starts_with("OpenCL C 2.") ? "2.0" : "1.2";
  }
  cl_version newest = CL_MAKE_VERSION(1, 2, 0);
  for (std::size_t i = 0; i < bytes / sizeof versions[0]; ++i) newest = std::max(newest, versions[i].version);
  return newest >= CL_MAKE_VERSION(3, 0, 0) ? "3.0" : newest >= CL_MAKE_VERSION(2, 0, 0) ? "2.0" : "1.2";
}

// OpenCL 2 promises them; 3.0 has a query. What the compiler does not take is no capability.
bool has_ordered_atomics(const cl::Device& device, const DeviceInfo& info) {
  if (info.newest_c_version == "1.2") return false;
  constexpr cl_device_atomic_capabilities needed =
      CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
  cl_device_atomic_capabilities offered = 0;
  if (clGetDeviceInfo(device(), CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof offered, &offered, nullptr) !=
      CL_SUCCESS) {
    return info.version.starts_with("OpenCL 2.");
  }
  return (offered & needed) == needed;
}

std::uint32_t compute_capability_of(const cl::Device& device, const DeviceInfo& info) {
  cl_uint major = 0;
  cl_uint minor = 0;
  if (!info.has_extension("cl_nv_device_attribute_query") ||
      clGetDeviceInfo(device(), device_compute_capability_major_nv, sizeof major, &major, nullptr) !=
          CL_SUCCESS ||
      clGetDeviceInfo(device(), device_compute_capability_minor_nv, sizeof minor, &minor, nullptr) !=
          CL_SUCCESS)
    return 0;
  return 10 * major + minor;
}

// How many work-items run in lockstep, by whichever extension of its vendor the device has.
std::vector<std::uint32_t> sub_group_sizes_of(const cl::Device& device, const DeviceInfo& info) {
  if (info.has_extension("cl_intel_required_subgroup_size")) {
    std::size_t sizes[16] = {};
    std::size_t bytes = 0;
    if (clGetDeviceInfo(device(), device_sub_group_sizes_intel, sizeof sizes, sizes, &bytes) == CL_SUCCESS)
      return {sizes, sizes + std::min<std::size_t>(16, bytes / sizeof sizes[0])};
  }
  for (const auto& [extension, name] :
       {std::pair{"cl_nv_device_attribute_query", device_warp_size_nv},
        std::pair{"cl_amd_device_attribute_query", device_wavefront_width_amd}}) {
    cl_uint width = 0;
    if (info.has_extension(extension) &&
        clGetDeviceInfo(device(), name, sizeof width, &width, nullptr) == CL_SUCCESS && width > 0)
      return {width};
  }
  return {};
}

}  // namespace

DeviceInfo query_device(const cl::Platform& platform, const cl::Device& device, const std::string& index) {
  DeviceInfo info;
  info.index = index;
  info.platform = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
  info.platform_version = trimmed(platform.getInfo<CL_PLATFORM_VERSION>());
  info.platform_vendor = trimmed(platform.getInfo<CL_PLATFORM_VENDOR>());
  info.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  info.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  info.driver = trimmed(device.getInfo<CL_DRIVER_VERSION>());
  info.type = type_name(device.getInfo<CL_DEVICE_TYPE>());
  info.version = trimmed(device.getInfo<CL_DEVICE_VERSION>());
  info.c_version = trimmed(device.getInfo<CL_DEVICE_OPENCL_C_VERSION>());
  std::istringstream names(device.getInfo<CL_DEVICE_EXTENSIONS>());
  for (std::string name; names >> name;) info.extensions.push_back(trimmed(name));
  info.newest_c_version = newest_c_version(device, info);
  info.capabilities = capabilities_of(device);
  info.capabilities.ordered_atomics = has_ordered_atomics(device, info);
  query<CL_DEVICE_MAX_COMPUTE_UNITS>(device, info.capabilities.compute_units);
  query<CL_DEVICE_MAX_CLOCK_FREQUENCY>(device, info.clock_mhz);
  query<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>(device, info.capabilities.float_lanes);
  query<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>(device, info.global_cache_bytes);
  cl_uint align_bits = 0;
  query<CL_DEVICE_MEM_BASE_ADDR_ALIGN>(device, align_bits);
  info.base_alignment_bytes = align_bits / 8;
  query<CL_DEVICE_PROFILING_TIMER_RESOLUTION>(device, info.timer_resolution_ns);
  cl_device_local_mem_type local_type = 0;
  query<CL_DEVICE_LOCAL_MEM_TYPE>(device, local_type);
  info.capabilities.local_is_dedicated = local_type == CL_LOCAL;
  cl_bool unified = CL_FALSE;
  query<CL_DEVICE_HOST_UNIFIED_MEMORY>(device, unified);
  info.capabilities.unified_memory = unified == CL_TRUE;
  cl_device_fp_config single = 0;
  query<CL_DEVICE_SINGLE_FP_CONFIG>(device, single);
  info.capabilities.fma = (single & CL_FP_FMA) != 0;
  info.checks_bounds = lower(info.platform).find("oclgrind") != std::string::npos;
  // Mesa's LP_MAX_TGSI_LOOP_ITERATIONS.
  if (lower(info.name).find("llvmpipe") != std::string::npos) info.max_iterations = 65535;
  info.derive_capabilities();
  info.capabilities.compute_capability = compute_capability_of(device, info);
  info.capabilities.async_copies = info.capabilities.inline_ptx && info.capabilities.compute_capability >= 80;
  info.capabilities.sub_group_sizes = sub_group_sizes_of(device, info);
  info.id = identity(device, info);
  return info;
}

std::string cl_error_name(cl_int error) {
#define NAMED(code) \
  case code:        \
    return #code
  switch (error) {
    NAMED(CL_SUCCESS);
    NAMED(CL_DEVICE_NOT_FOUND);
    NAMED(CL_DEVICE_NOT_AVAILABLE);
    NAMED(CL_COMPILER_NOT_AVAILABLE);
    NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    NAMED(CL_OUT_OF_RESOURCES);
    NAMED(CL_OUT_OF_HOST_MEMORY);
    NAMED(CL_PROFILING_INFO_NOT_AVAILABLE);
    NAMED(CL_MEM_COPY_OVERLAP);
    NAMED(CL_IMAGE_FORMAT_MISMATCH);
    NAMED(CL_IMAGE_FORMAT_NOT_SUPPORTED);
    NAMED(CL_BUILD_PROGRAM_FAILURE);
    NAMED(CL_MAP_FAILURE);
    NAMED(CL_MISALIGNED_SUB_BUFFER_OFFSET);
    NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    NAMED(CL_COMPILE_PROGRAM_FAILURE);
    NAMED(CL_LINKER_NOT_AVAILABLE);
    NAMED(CL_LINK_PROGRAM_FAILURE);
    NAMED(CL_INVALID_VALUE);
    NAMED(CL_INVALID_DEVICE_TYPE);
    NAMED(CL_INVALID_PLATFORM);
    NAMED(CL_INVALID_DEVICE);
    NAMED(CL_INVALID_CONTEXT);
    NAMED(CL_INVALID_QUEUE_PROPERTIES);
    NAMED(CL_INVALID_COMMAND_QUEUE);
    NAMED(CL_INVALID_HOST_PTR);
    NAMED(CL_INVALID_MEM_OBJECT);
    NAMED(CL_INVALID_IMAGE_SIZE);
    NAMED(CL_INVALID_BINARY);
    NAMED(CL_INVALID_BUILD_OPTIONS);
    NAMED(CL_INVALID_PROGRAM);
    NAMED(CL_INVALID_PROGRAM_EXECUTABLE);
    NAMED(CL_INVALID_KERNEL_NAME);
    NAMED(CL_INVALID_KERNEL_DEFINITION);
    NAMED(CL_INVALID_KERNEL);
    NAMED(CL_INVALID_ARG_INDEX);
    NAMED(CL_INVALID_ARG_VALUE);
    NAMED(CL_INVALID_ARG_SIZE);
    NAMED(CL_INVALID_KERNEL_ARGS);
    NAMED(CL_INVALID_WORK_DIMENSION);
    NAMED(CL_INVALID_WORK_GROUP_SIZE);
    NAMED(CL_INVALID_WORK_ITEM_SIZE);
    NAMED(CL_INVALID_GLOBAL_OFFSET);
    NAMED(CL_INVALID_EVENT_WAIT_LIST);
    NAMED(CL_INVALID_EVENT);
    NAMED(CL_INVALID_OPERATION);
    NAMED(CL_INVALID_BUFFER_SIZE);
    NAMED(CL_INVALID_GLOBAL_WORK_SIZE);
    NAMED(CL_PLATFORM_NOT_FOUND_KHR);
    default:
      return fmt::format("error {}", error);
  }
#undef NAMED
}

std::string describe(const cl::Error& error) {
  return fmt::format("{} ({}) from {}", cl_error_name(error.err()), error.err(), error.what());
}

Status status_of(const cl::Error& error) {
  switch (error.err()) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
      return Status::out_of_memory;
    default:
      return Status::launch_failed;
  }
}

}  // namespace dwarfsweep

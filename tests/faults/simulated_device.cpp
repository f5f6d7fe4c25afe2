#include "simulated_device.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>

namespace {

constexpr cl_device_info wavefront_width_amd = 0x4043;    // of cl_amd_device_attribute_query
constexpr cl_device_info pci_bus_info_khr = 0x410F;       // of cl_khr_pci_bus_info
constexpr cl_device_info sub_group_sizes_intel = 0x4108;  // of cl_intel_required_subgroup_size

template <typename T>
std::vector<unsigned char> bytes_of(const T& value) {
  std::vector<unsigned char> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// As OpenCL's queries give their answers.
cl_int give(const void* answer, size_t answer_bytes, size_t bytes, void* value, size_t* needed) {
  if (needed) *needed = answer_bytes;
  if (!value) return CL_SUCCESS;
  if (bytes < answer_bytes) return CL_INVALID_VALUE;
  if (answer_bytes > 0) std::memcpy(value, answer, answer_bytes);
  return CL_SUCCESS;
}

std::vector<std::string> driver_extensions(const cl_icd_dispatch& driver, cl_device_id device) {
  size_t bytes = 0;
  driver.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &bytes);
  std::string all(bytes, '\0');
  driver.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, bytes, all.data(), nullptr);
  std::istringstream words(all.c_str());
  std::vector<std::string> found;
  for (std::string word; words >> word;) found.push_back(word);
  return found;
}

bool has_extension(const cl_icd_dispatch& driver, cl_device_id device, const std::string& extension) {
  const std::vector<std::string> all = driver_extensions(driver, device);
  return std::find(all.begin(), all.end(), extension) != all.end();
}

cl_uint bus_of(const cl_icd_dispatch& driver, cl_device_id device) {
  char name[256] = {};
  driver.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
  return static_cast<unsigned char>(name[0]);
}

bool takes_c_2(const cl_icd_dispatch& driver, cl_device_id device) {
  cl_name_version versions[64] = {};
  size_t bytes = 0;
  driver.clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof versions, versions, &bytes);
  return std::any_of(versions, versions + bytes / sizeof versions[0],
                     [](const cl_name_version& each) { return each.version == CL_MAKE_VERSION(2, 0, 0); });
}

cl_ulong local_bytes_of(const cl_icd_dispatch& driver, cl_command_queue queue, cl_kernel kernel) {
  cl_device_id device = nullptr;
  cl_ulong bytes = 0;
  driver.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  driver.clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
  return bytes;
}

}  // namespace

cl_int SimulatedDevice::platform_info(const cl_icd_dispatch& driver, cl_platform_id platform,
                                      cl_platform_info name, size_t bytes, void* value,
                                      size_t* needed) const {
  const std::string* text = nullptr;
  if (name == CL_PLATFORM_NAME) text = &traits_.platform;
  if (name == CL_PLATFORM_VENDOR) text = &traits_.vendor;
  if (name == CL_PLATFORM_VERSION) text = &traits_.platform_version;
  if (!text) return driver.clGetPlatformInfo(platform, name, bytes, value, needed);
  return give(text->c_str(), text->size() + 1, bytes, value, needed);
}

cl_int SimulatedDevice::device_info(const cl_icd_dispatch& driver, cl_device_id device, cl_device_info name,
                                    size_t bytes, void* value, size_t* needed) const {
  if (refuses(name)) return CL_INVALID_VALUE;
  if (const auto text = text_answer(driver, device, name))
    return give(text->c_str(), text->size() + 1, bytes, value, needed);
  if (name == pci_bus_info_khr && traits_.queries.contains("cl_khr_pci_bus_info")) {
    // The driver's devices differ in their names.
    const std::array<cl_uint, 4> address = {0, bus_of(driver, device), 0, 0};
    return give(address.data(), sizeof address, bytes, value, needed);
  }
  if (const auto number = number_answer(name))
    return give(number->data(), number->size(), bytes, value, needed);
  return driver.clGetDeviceInfo(device, name, bytes, value, needed);
}

// Queries of extensions that it lacks, or of later versions of OpenCL.
bool SimulatedDevice::refuses(cl_device_info name) const {
  switch (name) {
    case CL_DEVICE_UUID_KHR:
      return true;
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
    case CL_DEVICE_OPENCL_C_FEATURES:
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
      return !is_opencl_3();
    case wavefront_width_amd:
      return !traits_.queries.contains("cl_amd_device_attribute_query");
    case sub_group_sizes_intel:
      return !traits_.extensions.contains("cl_intel_required_subgroup_size");
    default:
      return false;
  }
}

std::optional<std::string> SimulatedDevice::text_answer(const cl_icd_dispatch& driver, cl_device_id device,
                                                        cl_device_info name) const {
  if (name == CL_DEVICE_NAME) return traits_.name;
  if (name == CL_DEVICE_VENDOR) return traits_.vendor;
  if (name == CL_DRIVER_VERSION) return traits_.driver_version;
  if (name == CL_DEVICE_VERSION) return traits_.version;
  if (name == CL_DEVICE_OPENCL_C_VERSION) return traits_.c_version;
  if (name != CL_DEVICE_EXTENSIONS) return std::nullopt;
  std::string all;
  for (const std::string& extension : driver_extensions(driver, device)) {
    if (traits_.extensions.contains(extension)) all += extension + " ";
  }
  for (const std::string& extension : traits_.queries) all += extension + " ";
  return all;
}

std::optional<std::vector<unsigned char>> SimulatedDevice::number_answer(cl_device_info name) const {
  const auto boolean = [](bool value) { return bytes_of<cl_bool>(value ? CL_TRUE : CL_FALSE); };
  switch (name) {
    case CL_DEVICE_TYPE:
      return bytes_of<cl_device_type>(CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return bytes_of(traits_.compute_units);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
      return bytes_of(traits_.clock_mhz);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return bytes_of(traits_.work_group);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return bytes_of(std::array<size_t, 3>{traits_.work_group, traits_.work_group, traits_.work_group});
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return bytes_of(traits_.local_bytes);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return bytes_of(traits_.local_type);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
      return bytes_of(traits_.constant_bytes);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      return bytes_of(traits_.align_bits);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      return bytes_of(traits_.tick_ns);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return boolean(traits_.unified_memory);
    case CL_DEVICE_IMAGE_SUPPORT:
      return boolean(traits_.images);
    case wavefront_width_amd:
      return bytes_of(static_cast<cl_uint>(traits_.sub_group_sizes.front()));
    case sub_group_sizes_intel: {
      const auto* const first = reinterpret_cast<const unsigned char*>(traits_.sub_group_sizes.data());
      return std::vector<unsigned char>(first, first + traits_.sub_group_sizes.size() * sizeof(size_t));
    }
    default:
      return std::nullopt;
  }
}

void SimulatedDevice::change_kernel_info(cl_kernel_work_group_info name, void* value) const {
  auto* const number = static_cast<size_t*>(value);
  if (name == CL_KERNEL_WORK_GROUP_SIZE) *number = std::min(*number, traits_.work_group);
  if (name == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
    *number = traits_.sub_group_sizes.empty() ? 16 : traits_.sub_group_sizes.back();
}

std::string SimulatedDevice::source_head(const cl_icd_dispatch& driver, cl_context context) const {
  cl_device_id device = nullptr;
  driver.clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, nullptr);
  std::string head;
  const auto lacks = [&](const std::string& word) {
    head += "#define " + word + " the_device_lacks_" + word + "\n";
  };
  if (!traits_.fp64) {
    head += "#undef cl_khr_fp64\n#undef __opencl_c_fp64\n";
    for (const char* width : {"", "2", "4", "8", "16"}) lacks(std::string("double") + width);
  }
  if (!traits_.images) {
    head += "#undef __IMAGE_SUPPORT__\n";
    for (const char* type : {"image1d_buffer_t", "image1d_t", "image2d_t"}) lacks(type);
  }
  if (traits_.sub_group_sizes.empty()) {
    for (const char* function : {"sub_group_shuffle", "sub_group_shuffle_up", "get_sub_group_size"})
      lacks(function);
  }
  if (traits_.only_sub_group_size > 0 && has_extension(driver, device, "cl_intel_required_subgroup_size")) {
    // Of kernels that shuffle alone: the others need not know, and Intel's compiler takes minutes for 64
    // lanes.
    head += "#if SHUFFLE\n#define kernel __attribute__((intel_reqd_sub_group_size(" +
            std::to_string(traits_.only_sub_group_size) + "))) __kernel\n#endif\n";
  }
  return head + "#line 1\n";
}

std::optional<std::string> SimulatedDevice::build_options(const cl_icd_dispatch& driver, cl_device_id device,
                                                          std::string options) const {
  const bool shall_take_2 = traits_.c_version.rfind("OpenCL C 2", 0) == 0;
  if (options.find("-cl-std=CL3") != std::string::npos && !is_opencl_3()) return std::nullopt;
  const size_t second = options.find("-cl-std=CL2.0");
  if (second == std::string::npos) return options;
  if (!shall_take_2 && !is_opencl_3()) return std::nullopt;
  // What the suite takes of 2.0 is in 3.0, too.
  if (!takes_c_2(driver, device)) options.replace(second, std::strlen("-cl-std=CL2.0"), "-cl-std=CL3.0");
  return options;
}

cl_int SimulatedDevice::judge_launch(const cl_icd_dispatch& driver, cl_command_queue queue, cl_kernel kernel,
                                     cl_uint dimensions, const size_t* local) const {
  if (local_bytes_of(driver, queue, kernel) > traits_.local_bytes) return CL_OUT_OF_RESOURCES;
  size_t items = 1;
  for (cl_uint i = 0; local && i < dimensions; ++i) items *= local[i];
  return items > traits_.work_group ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
}

cl_ulong SimulatedDevice::timestamp(cl_profiling_info name, cl_ulong true_ns) const {
  constexpr cl_ulong second = 1'000'000'000;
  const bool by_the_host = name == CL_PROFILING_COMMAND_QUEUED || name == CL_PROFILING_COMMAND_SUBMIT;
  if (timer_ == Timer::other_clock_until_start && by_the_host) return true_ns + 10'000 * second;
  if (timer_ == Timer::now_and_then_for_ages && name == CL_PROFILING_COMMAND_END) {
    // Asked twice for the END of an event, it says the same. The self-test sees some dozens, and all are
    // good.
    static std::mutex guard;
    static std::map<cl_ulong, bool> lasts_for_ages;
    const std::lock_guard<std::mutex> lock(guard);
    const auto [entry, is_new] = lasts_for_ages.try_emplace(true_ns, false);
    if (is_new) entry->second = lasts_for_ages.size() > 300 && lasts_for_ages.size() % 20 == 0;
    if (entry->second) return true_ns + 3'000'000'000 * second;
  }
  return true_ns / traits_.tick_ns * traits_.tick_ns;
}

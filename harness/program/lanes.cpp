#include "harness/program/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/device/cl_error.hpp"
#include "harness/space/status.hpp"

namespace dwarfsweep {
namespace {

constexpr std::int64_t min_lanes = 8;
constexpr std::int64_t max_lanes = 64;
constexpr std::int64_t ptx_lanes = 32;  // of a warp, as the PTX ISA has it

using GetSubGroupInfo = decltype(&clGetKernelSubGroupInfo);

// A function of OpenCL 2.1, before that of cl_khr_subgroups.
GetSubGroupInfo sub_group_query(const cl::Device& device) {
  // C++ headers give the id of the platform until 2023.04, then a cl::Platform.
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  void* const extension = clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSubGroupInfoKHR");
  return extension ? reinterpret_cast<GetSubGroupInfo>(extension) : &clGetKernelSubGroupInfo;
}

// Work-items of the kernel's sub-groups; 0 where the driver does not tell.
std::size_t sub_group_items(const cl::Device& device, const cl::Kernel& kernel) {
  const auto group = kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device);
  std::size_t items = 0;
  const cl_int error = sub_group_query(device)(kernel(), device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                               sizeof(std::size_t) * group.size(), group.data(), sizeof items,
                                               &items, nullptr);
  return error == CL_SUCCESS ? items : 0;
}

}  // namespace

std::vector<std::int64_t> lane_counts(const Capabilities& device) {
  if (device.inline_ptx) return {ptx_lanes};
  std::vector<std::int64_t> counts;
  if (!device.sub_group_shuffles) return counts;
  const std::vector<std::uint32_t>& sizes = device.sub_group_sizes;
  for (std::int64_t count = min_lanes; count <= max_lanes; count *= 2) {
    if (sizes.empty() || std::find(sizes.begin(), sizes.end(), count) != sizes.end()) counts.push_back(count);
  }
  return counts;
}

std::vector<std::int64_t> certain_lane_counts(const Capabilities& device) {
  if (device.inline_ptx || device.requires_sub_group_size || device.sub_group_sizes.size() == 1)
    return lane_counts(device);
  return {};
}

Lanes shuffling_lanes(const Capabilities& device, std::int64_t count) {
  const std::vector<std::int64_t> counts = lane_counts(device);
  if (std::find(counts.begin(), counts.end(), count) == counts.end()) return {};
  if (device.inline_ptx) return {Shuffle::ptx, count, false};
  return {Shuffle::sub_groups, count, device.requires_sub_group_size};
}

void check_lanes(const cl::Device& device, const cl::Kernel& kernel, const Lanes& lanes) {
  if (lanes.way != Shuffle::sub_groups) return;
  const std::size_t items = sub_group_items(device, kernel);
  if (items == static_cast<std::size_t>(lanes.count)) return;
  throw PointFailure(
      Status::unsupported,
      items == 0
          ? fmt::format("lanes shuffle in sub-groups of {}, and the driver does not tell how large those of "
                        "the built kernel are",
                        lanes.count)
          : fmt::format("lanes shuffle in sub-groups of {}, and those of the built kernel have {} work-items",
                        lanes.count, items));
}

}  // namespace dwarfsweep

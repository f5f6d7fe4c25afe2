#include "harness/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/device/opencl.hpp"
#include "harness/program/kernel_source.hpp"
#include "harness/program/program.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

// Devices of one model that report no UUID have their index behind the identity ("...#0:1").
bool is_same(const DeviceInfo& found, const DeviceInfo& wanted) {
  return found.name == wanted.name && (wanted.id == found.id || wanted.id.starts_with(found.id + "#"));
}

cl::Device find_device(const DeviceInfo& wanted) {
  const std::size_t colon = wanted.index.find(':');
  const std::size_t platform_number = std::stoul(wanted.index.substr(0, colon));
  const std::size_t device_number = std::stoul(wanted.index.substr(colon + 1));
  try {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    std::vector<cl::Device> devices;
    platforms.at(platform_number).getDevices(CL_DEVICE_TYPE_ALL, &devices);
    const cl::Device device = devices.at(device_number);
    if (is_same(query_device(platforms[platform_number], device, wanted.index), wanted)) return device;
  } catch (const std::exception&) {
    // No such platform or device: the same as another one in its place.
  }
  throw NoDeviceError("the device " + describe(wanted) + " has gone");
}

using GetSubGroupInfo = decltype(&clGetKernelSubGroupInfo);

// A function of OpenCL 2.1, before that of cl_khr_subgroups.
GetSubGroupInfo sub_group_query(const cl::Device& device) {
  // C++ headers give the id of the platform until 2023.04, then a cl::Platform.
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  void* const extension = clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSubGroupInfoKHR");
  return extension ? reinterpret_cast<GetSubGroupInfo>(extension) : &clGetKernelSubGroupInfo;
}

// Work-items of the kernel's sub-groups; 0 if the driver does not report them.
std::size_t sub_group_items(const cl::Device& device, const cl::Kernel& kernel) {
  const auto group = kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device);
  std::size_t items = 0;
  const cl_int error = sub_group_query(device)(kernel(), device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                               sizeof(std::size_t) * group.size(), group.data(), sizeof items,
                                               &items, nullptr);
  return error == CL_SUCCESS ? items : 0;
}

}  // namespace

Session::Session(DeviceInfo device, SessionOptions options)
    : device_(std::move(device)), options_(std::move(options)) {
  if (options_.dry_run) return;
  cl_device_ = find_device(device_);
  try {
    context_ = cl::Context(cl_device_);
    queue_ = cl::CommandQueue(context_, cl_device_, CL_QUEUE_PROFILING_ENABLE);
    builder_.emplace(device_, cl_device_, context_, ProgramCache(options_.program_cache));
  } catch (const cl::Error& error) {
    throw PointFailure(Status::launch_failed, "opening " + describe(device_) + " failed: " + describe(error));
  }
}

bool Session::answers() {
  if (dry_run()) return true;
  try {
    constexpr std::uint32_t sent = 0x5a17c0de;
    std::uint32_t received = 0;
    const cl::Buffer buffer(context_, CL_MEM_READ_WRITE, sizeof sent);
    queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, sizeof sent, &sent);
    queue_.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof received, &received);
    return received == sent;
  } catch (const cl::Error& error) {
    return status_of(error) == Status::out_of_memory;
  }
}

void Session::read(const cl::Buffer& from, void* to, std::size_t bytes, cl::Event* event) {
  if (!dry_run()) {
    queue_.enqueueReadBuffer(from, CL_TRUE, 0, bytes, to, nullptr, event);
    if (readings_) {
      const auto* const begin = static_cast<const std::uint8_t*>(to);
      readings_->bytes.insert(readings_->bytes.end(), begin, begin + bytes);
    }
    return;
  }
  if (!readings_ || readings_->bytes.size() - readings_->position < bytes)
    throw PointFailure(Status::wrong_result, "the host reads more than the run has given it");
  std::memcpy(to, readings_->bytes.data() + readings_->position, bytes);
  readings_->position += bytes;
}

std::string Session::capability_options(const Macros& macros) const {
  const Capabilities& has = device_.capabilities;
  const auto flag = [](bool value) { return value ? 1 : 0; };
  const bool ordered = macros.groups_wait() && has.ordered_atomics;
  const bool newer = ordered || macros.lanes().method == Shuffle::sub_groups;
  std::string options = fmt::format(
      "-cl-std=CL{} -D HAS_FMA={} -D HAS_FP64={} -D HAS_IMAGES={} -D HAS_INLINE_PTX={} -D "
      "HAS_ASYNC_COPIES={} -D HAS_LOCAL_MEMORY={} -D HAS_ORDERED_ATOMICS={} -D GROUPS_WAIT={}",
      newer ? device_.newest_c_version : "1.2", flag(has.fma), flag(has.fp64), flag(has.images),
      flag(has.inline_ptx), flag(has.async_copies), flag(has.local_is_dedicated), flag(ordered),
      flag(macros.groups_wait()));
  if (device_.has_extension("cl_nv_compiler_options")) options += " -cl-nv-verbose";
  return options;
}

ProgramText Session::text_of(const std::string& file, const Macros& macros) const {
  const std::string text = fmt::format("#line 1 \"prelude.cl\"\n{}\n#line 1 \"{}.cl\"\n{}",
                                       kernel_text("prelude", kernel_folder(), options_.own_kernels), file,
                                       kernel_text(file, kernel_folder(), options_.own_kernels));
  const Macros::Used used = macros.used_in(text);
  return {file, fmt::format("#line 1 \"guards\"\n{}\n{}", used.guards, text),
          capability_options(macros) + used.options};
}

std::shared_ptr<const Program> Session::program(const std::string& file, const Macros& macros) {
  const std::string key = other_kernels_ + "|" + file + (macros.groups_wait() ? "+" : "") + macros.options();
  if (const auto found = programs_.find(key); found != programs_.end()) return found->second;
  const ProgramText text = text_of(file, macros);
  if (!builder_) {
    list(text);
    return std::make_shared<Program>(Program{text, {}, "", 0, 0});
  }
  std::shared_ptr<const Program>& same = programs_[program_id(text)];
  if (!same) same = builder_->build(text);
  return programs_.emplace(key, same).first->second;
}

void Session::list(const ProgramText& text) {
  if (std::find(listed_.begin(), listed_.end(), text) == listed_.end()) listed_.push_back(text);
}

Kernel Session::kernel(const Program& program, const std::string& function, const std::string& name) const {
  Kernel made;
  made.name = name;
  made.facts.name = name;
  if (dry_run()) return made;
  try {
    made.kernel = cl::Kernel(program.program, function.c_str());
  } catch (const cl::Error& error) {
    throw PointFailure(
        Status::build_failed,
        fmt::format("creating the kernel '{}' failed: {}; device {}, driver {}; options {}", function,
                    describe(error), device_.name, device_.driver, program.text.options));
  }
  try {
    made.facts.work_group_items = made.kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(cl_device_);
    // rusticl 22.3 answers every kernel with its SIMD width, and then launches up to the device's limit: no
    // more than one SIMD width is taken for no answer.
    if (made.facts.work_group_items <=
        made.kernel.getWorkGroupInfo<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(cl_device_)) {
      made.facts.work_group_items = 0;
    }
    made.facts.local_bytes = made.kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(cl_device_);
    made.facts.private_bytes = made.kernel.getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(cl_device_);
  } catch (const cl::Error&) {
    // A driver that does not answer leaves zeros: the limits are unknown until a launch fails.
  }
  const NvidiaUse use = read_nvidia_log(program.log, function);
  made.facts.registers = use.registers;
  made.facts.spill_bytes = use.spill_bytes;
  return made;
}

void Session::check_lanes(const Kernel& kernel, const Lanes& lanes) const {
  if (dry_run() || lanes.method != Shuffle::sub_groups) return;
  const std::size_t items = sub_group_items(cl_device_, kernel.kernel);
  if (items == static_cast<std::size_t>(lanes.count)) return;
  throw PointFailure(
      Status::unsupported,
      items == 0
          ? fmt::format("lanes shuffle in sub-groups of {}, and the driver does not report how large those "
                        "of the built kernel are",
                        lanes.count)
          : fmt::format("lanes shuffle in sub-groups of {}, and those of the built kernel have {} work-items",
                        lanes.count, items));
}

}  // namespace dwarfsweep

#include "harness/session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <regex>

#include "harness/cl_error.hpp"
#include "harness/error.hpp"
#include "harness/kernel_source.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

cl::Device find_device(const DeviceInfo& wanted) {
  const std::size_t colon = wanted.index.find(':');
  const std::size_t platform_number = std::stoul(wanted.index.substr(0, colon));
  const std::size_t device_number = std::stoul(wanted.index.substr(colon + 1));
  try {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    std::vector<cl::Device> devices;
    platforms.at(platform_number).getDevices(CL_DEVICE_TYPE_ALL, &devices);
    return devices.at(device_number);
  } catch (const std::exception&) {
    throw NoDeviceError("the device " + describe(wanted) + " has gone");
  }
}

std::string shortened(const std::string& log) {
  constexpr std::size_t max_bytes = 4000;
  return log.size() <= max_bytes
             ? log
             : log.substr(0, max_bytes) + fmt::format("\n... ({} bytes of log)", log.size());
}

// NVIDIA's -cl-nv-verbose log has, per function: "Used 32 registers, ..." after "Function properties for
// NAME" or "Compiling entry function 'NAME'", with the spills between them.
void read_nvidia_log(const std::string& log, const std::string& function, KernelFacts& facts) {
  const std::size_t begin = log.find("entry function '" + function + "'");
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(log.find("entry function '", begin + 1), log.size());
  const std::string part = log.substr(begin, end - begin);
  std::smatch match;
  if (std::regex_search(part, match, std::regex(R"(Used (\d+) registers)")))
    facts.registers = std::stoull(match[1]);
  if (std::regex_search(part, match, std::regex(R"((\d+) bytes spill stores)"))) {
    facts.spill_bytes = std::stoull(match[1]);
  }
}

}  // namespace

Session::Session(DeviceInfo device, SessionOptions options)
    : device_(std::move(device)), options_(std::move(options)), cl_device_(find_device(device_)) {
  try {
    context_ = cl::Context(cl_device_);
    queue_ = cl::CommandQueue(context_, cl_device_, CL_QUEUE_PROFILING_ENABLE);
  } catch (const cl::Error& error) {
    throw PointFailure(Status::launch_failed, "opening " + describe(device_) + " failed: " + describe(error));
  }
}

std::string Session::capability_options() const {
  const auto flag = [](bool has) { return has ? 1 : 0; };
  std::string options = fmt::format(
      "-cl-std=CL1.2 -D HAS_FMA={} -D HAS_FP64={} -D HAS_IMAGES={} -D HAS_INLINE_PTX={} -D "
      "HAS_LOCAL_MEMORY={}",
      flag(device_.capabilities.fma), flag(device_.capabilities.fp64), flag(device_.capabilities.images),
      flag(device_.capabilities.inline_ptx), flag(device_.capabilities.local_is_dedicated));
  if (device_.has_extension("cl_nv_compiler_options")) options += " -cl-nv-verbose";
  return options;
}

std::shared_ptr<const Program> Session::program(const std::string& file, const Macros& macros) {
  const std::string key = file + macros.options();
  if (const auto found = programs_.find(key); found != programs_.end()) return found->second;

  auto built = std::make_shared<Program>();
  built->file = file;
  built->options = capability_options() + macros.options();
  const std::string text =
      fmt::format("#line 1 \"guards\"\n{}\n#line 1 \"prelude.cl\"\n{}\n#line 1 \"{}.cl\"\n{}",
                  macros.guards(), kernel_text("prelude", options_.kernel_folder, options_.own_kernels), file,
                  kernel_text(file, options_.kernel_folder, options_.own_kernels));
  const auto begin = std::chrono::steady_clock::now();
  try {
    built->program = cl::Program(context_, text);
    built->program.build(built->options.c_str());
  } catch (const cl::BuildError& error) {
    std::string log;
    for (const auto& entry : error.getBuildLog()) log += entry.second;
    throw PointFailure(
        Status::build_failed,
        fmt::format("building {}.cl failed: {}; device {}, driver {}; options {}; log: {}", file,
                    describe(error), device_.name, device_.driver, built->options, shortened(log)));
  } catch (const cl::Error& error) {
    throw PointFailure(Status::build_failed,
                       fmt::format("building {}.cl failed: {}; device {}, driver {}; options {}", file,
                                   describe(error), device_.name, device_.driver, built->options));
  }
  built->build_ns = (std::chrono::steady_clock::now() - begin).count();
  built->log = built->program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(cl_device_);
  programs_.emplace(key, built);
  return built;
}

Kernel Session::kernel(const Program& program, const std::string& function, const std::string& name) const {
  Kernel made;
  made.name = name;
  made.facts.name = name;
  try {
    made.kernel = cl::Kernel(program.program, function.c_str());
  } catch (const cl::Error& error) {
    throw PointFailure(Status::build_failed,
                       fmt::format("creating the kernel '{}' failed: {}; device {}, driver {}; options {}",
                                   function, describe(error), device_.name, device_.driver, program.options));
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
  read_nvidia_log(program.log, function, made.facts);
  return made;
}

}  // namespace dwarfsweep

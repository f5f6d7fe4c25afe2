// Commands that are recorded once and submitted as a whole (cl_khr_command_buffer).
#include "harness/run/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/space/error.hpp"

namespace dwarfsweep {

// The extension's functions, as the platform hands them out. Their types are the specification's, declared
// here: OpenCL's headers declare those of one version of the extension, each release another, and the device
// may implement a third.
struct CommandBuffer::Functions {
  using Waits = const SyncPoint*;
  using Create = Handle(CL_API_CALL*)(cl_uint queues, const cl_command_queue*, const cl_properties*,
                                      cl_int* error);
  using Release = cl_int(CL_API_CALL*)(Handle);
  using Finalize = cl_int(CL_API_CALL*)(Handle);
  using Enqueue = cl_int(CL_API_CALL*)(cl_uint queues, cl_command_queue*, Handle, cl_uint, const cl_event*,
                                       cl_event*);
  using Kernel = cl_int(CL_API_CALL*)(Handle, cl_command_queue, const cl_properties* properties, cl_kernel,
                                      cl_uint dimensions, const std::size_t* offset,
                                      const std::size_t* global, const std::size_t* local, cl_uint, Waits,
                                      SyncPoint*, void* handle);
  // Before version 0.9.5 of the extension, and from it on.
  using Fill = cl_int(CL_API_CALL*)(Handle, cl_command_queue, cl_mem, const void* pattern,
                                    std::size_t pattern_bytes, std::size_t offset, std::size_t bytes, cl_uint,
                                    Waits, SyncPoint*, void* handle);
  using FillWithProperties = cl_int(CL_API_CALL*)(Handle, cl_command_queue, const cl_properties* properties,
                                                  cl_mem, const void* pattern, std::size_t pattern_bytes,
                                                  std::size_t offset, std::size_t bytes, cl_uint, Waits,
                                                  SyncPoint*, void* handle);

  explicit Functions(cl_platform_id platform) {
    find(platform, "clCreateCommandBufferKHR", create);
    find(platform, "clReleaseCommandBufferKHR", release);
    find(platform, "clFinalizeCommandBufferKHR", finalize);
    find(platform, "clEnqueueCommandBufferKHR", enqueue);
    find(platform, "clCommandNDRangeKernelKHR", kernel);
    find(platform, "clCommandFillBufferKHR", fill);
    find(platform, "clCommandFillBufferKHR", fill_with_properties);
  }

  Create create = nullptr;
  Release release = nullptr;
  Finalize finalize = nullptr;
  Enqueue enqueue = nullptr;
  Kernel kernel = nullptr;
  Fill fill = nullptr;
  FillWithProperties fill_with_properties = nullptr;  // the same function
  bool fill_takes_properties = false;

 private:
  template <typename Function>
  static void find(cl_platform_id platform, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::clGetExtensionFunctionAddressForPlatform(platform, name));
    if (!function) {
      throw PointFailure(Status::unsupported, fmt::format("the platform has no {}", name));
    }
  }
};

namespace {

// Zero if the driver is too old to report versions.
cl_version extension_version(const cl::Device& device, const std::string& name) {
  std::size_t bytes = 0;
  if (::clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes) != CL_SUCCESS)
    return 0;
  std::vector<cl_name_version> extensions(bytes / sizeof(cl_name_version));
  const cl_int error =
      ::clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, bytes, extensions.data(), nullptr);
  const auto found = std::find_if(extensions.begin(), extensions.end(),
                                  [&](const cl_name_version& each) { return name == each.name; });
  return error != CL_SUCCESS || found == extensions.end() ? 0 : found->version;
}

void require(cl_int error, const char* function) {
  if (error != CL_SUCCESS) throw cl::Error(error, function);
}

}  // namespace

CommandBuffer::CommandBuffer(Session& session) : session_(session) {
  if (!session.device().has_extension("cl_khr_command_buffer")) {
    throw PointFailure(Status::unsupported, fmt::format("{} has no command buffers (cl_khr_command_buffer)",
                                                        session.device().name));
  }
  const auto device = session.queue().getInfo<CL_QUEUE_DEVICE>();
  // A cl_platform_id in some releases of OpenCL's C++ header, and a cl::Platform in others.
  call_ = std::make_unique<Functions>(cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>())());
  call_->fill_takes_properties =
      extension_version(device, "cl_khr_command_buffer") >= CL_MAKE_VERSION(0, 9, 5);
  cl_command_queue queue = session.queue()();
  cl_int error = CL_SUCCESS;
  buffer_ = call_->create(1, &queue, nullptr, &error);
  require(error, "clCreateCommandBufferKHR");
}

CommandBuffer::~CommandBuffer() {
  if (buffer_) call_->release(buffer_);
}

void CommandBuffer::add(const cl::Kernel& kernel, const cl::NDRange& global, const cl::NDRange& local) {
  SyncPoint point = 0;
  require(
      call_->kernel(buffer_, nullptr, nullptr, kernel(), static_cast<cl_uint>(global.dimensions()), nullptr,
                    global, local.dimensions() > 0 ? static_cast<const std::size_t*>(local) : nullptr,
                    last() ? 1 : 0, last(), &point, nullptr),
      "clCommandNDRangeKernelKHR");
  kernels_.push_back(kernel);
  points_.push_back(point);
}

void CommandBuffer::add_fill(const cl::Buffer& buffer, const void* pattern, std::size_t pattern_bytes,
                             std::size_t bytes) {
  SyncPoint point = 0;
  const cl_uint waits = last() ? 1 : 0;
  require(call_->fill_takes_properties
              ? call_->fill_with_properties(buffer_, nullptr, nullptr, buffer(), pattern, pattern_bytes, 0,
                                            bytes, waits, last(), &point, nullptr)
              : call_->fill(buffer_, nullptr, buffer(), pattern, pattern_bytes, 0, bytes, waits, last(),
                            &point, nullptr),
          "clCommandFillBufferKHR");
  points_.push_back(point);
}

void CommandBuffer::finalize() {
  require(call_->finalize(buffer_), "clFinalizeCommandBufferKHR");
}

void CommandBuffer::enqueue() {
  require(call_->enqueue(0, nullptr, buffer_, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
}

}  // namespace dwarfsweep

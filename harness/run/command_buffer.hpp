// Commands that are recorded once and submitted as a whole (cl_khr_command_buffer).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/device/opencl.hpp"
#include "harness/run/session.hpp"

namespace dwarfsweep {

class CommandBuffer {
 public:
  /// For the session's queue. Throws PointFailure(unsupported) where the device has none.
  explicit CommandBuffer(Session& session);
  ~CommandBuffer();
  CommandBuffer(const CommandBuffer&) = delete;
  CommandBuffer& operator=(const CommandBuffer&) = delete;

  /// A kernel that follows all commands so far, with the arguments that it has. It belongs to this command
  /// alone: PoCL (3.1) reads the arguments when the commands run, not when they are recorded.
  void add(const cl::Kernel& kernel, const cl::NDRange& global, const cl::NDRange& local);
  void add_fill(const cl::Buffer& buffer, const void* pattern, std::size_t pattern_bytes, std::size_t bytes);
  /// Nothing can be added any more.
  void finalize();
  /// Kernels in it.
  [[nodiscard]] std::int64_t launches() const { return static_cast<std::int64_t>(kernels_.size()); }
  /// Submits all commands. What was submitted before must be done.
  void enqueue();

 private:
  struct Functions;
  // As the extension's specification has them. OpenCL's headers since 2025 declare them only on request.
  struct Recording;
  using Handle = Recording*;
  using SyncPoint = cl_uint;

  [[nodiscard]] const SyncPoint* last() const { return points_.empty() ? nullptr : &points_.back(); }

  Session& session_;
  std::unique_ptr<Functions> call_;
  Handle buffer_ = nullptr;
  std::vector<cl::Kernel> kernels_;
  std::vector<SyncPoint> points_;
};

}  // namespace dwarfsweep

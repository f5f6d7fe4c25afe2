// One open device: context, queue, built programs. A session lives as long as its worker process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/device/opencl.hpp"
#include "harness/program/macros.hpp"
#include "harness/program/program.hpp"
#include "harness/run/sample.hpp"

namespace dwarfsweep {

/// A kernel, the name under which its time is reported, and its limits on this device.
struct Kernel {
  cl::Kernel kernel;
  std::string name;
  KernelFacts facts;
};

struct SessionOptions {
  std::string kernel_folder = {};              ///< use kernel files of this folder; empty: the embedded ones
  std::vector<KernelSource> own_kernels = {};  ///< kernel files of the caller, used before all others
  std::filesystem::path program_cache = {};    ///< folder of built programs; empty: every program is built
  /// A dry run: the device is not opened, and nothing is built, allocated or run. Constructing a case only
  /// lists the programs that it needs, see Session::listed().
  bool dry_run = false;
};

/// What the host has read of a case's buffers, in order: while it ran, and of its results.
struct Readings {
  std::vector<std::uint8_t> bytes = {};
  std::size_t position = 0;  ///< in a dry run: of what is read next
};

class Session {
 public:
  /// Opens the device with that index and identity, unless it is a dry run. Throws NoDeviceError where
  /// it is gone.
  Session(DeviceInfo device, SessionOptions options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const DeviceInfo& device() const { return device_; }
  [[nodiscard]] const cl::Context& context() const { return context_; }
  [[nodiscard]] cl::CommandQueue& queue() { return queue_; }
  [[nodiscard]] const Timing& timing() const { return timing_; }
  void set_timing(const Timing& timing) { timing_ = timing; }
  void set_progress(const ProgressReport& progress) { device_.progress = progress; }

  /// As clEnqueueFillBuffer; what lies beyond the first GiB is copied from there, for NVIDIA's driver (580)
  /// does not fill beyond 4 GiB. The pattern's size must divide a GiB. Returns the events of the first and of
  /// the last command.
  template <typename T>
  std::pair<cl::Event, cl::Event> fill(const cl::Buffer& buffer, T pattern, std::size_t offset,
                                       std::size_t bytes) {
    constexpr std::size_t piece = std::size_t{1} << 30U;
    std::pair<cl::Event, cl::Event> events;
    if (bytes == 0 || dry_run()) return events;
    queue_.enqueueFillBuffer(buffer, pattern, offset, std::min(piece, bytes), nullptr, &events.first);
    events.second = events.first;
    for (std::size_t done = piece; done < bytes; done += piece) {
      queue_.enqueueCopyBuffer(buffer, buffer, offset, offset + done, std::min(piece, bytes - done), nullptr,
                               &events.second);
    }
    return events;
  }

  /// Writes a word to the device and reads it back. False if that fails for another reason than lack of
  /// memory: after some faults of a kernel, a context is of no more use.
  [[nodiscard]] bool answers();
  /// What read() reads from now on is appended to `readings`. In a dry run it is taken from there, so that
  /// the host's side of a case does the same as in the process that has run it. Null: neither.
  void use_readings(Readings* readings) { readings_ = readings; }
  /// Blocking. Throws PointFailure(wrong_result) in a dry run if the readings have come to their end.
  void read(const cl::Buffer& from, void* to, std::size_t bytes, cl::Event* event = nullptr);

  /// Programs asked for from now on are of this folder's kernel files; empty: of those of the options.
  void use_kernels(std::string folder) { other_kernels_ = std::move(folder); }
  /// prelude.cl and `file`.cl (a path below kernels_cl without its ending), built with these macros and the
  /// device's capabilities; built once per session, and not at all where the cache has it. Throws
  /// PointFailure(build_failed) with the compiler's log.
  std::shared_ptr<const Program> program(const std::string& file, const Macros& macros);
  /// Builds a program without keeping it in the session: so it gets into the cache. Throws as program() does.
  [[nodiscard]] std::shared_ptr<const Program> build(const ProgramText& text) const {
    return builder_->build(text);
  }
  /// Throws PointFailure(build_failed) where the program has no kernel of that function name.
  [[nodiscard]] Kernel kernel(const Program& program, const std::string& function,
                              const std::string& name) const;
  /// Throws PointFailure where lanes of the kernel cannot shuffle as it was built for.
  void check_lanes(const Kernel& kernel, const Lanes& lanes) const;

  [[nodiscard]] bool dry_run() const { return options_.dry_run; }
  /// What was asked of program() in a dry run, each once.
  [[nodiscard]] const std::vector<ProgramText>& listed() const { return listed_; }
  void forget_listed() { listed_.clear(); }

  /// The options every program is built with: the version of OpenCL C, 1.2 but where its groups wait for
  /// each other by ordered atomics or its lanes shuffle in sub-groups, and the capabilities: HAS_FMA,
  /// HAS_FP64, HAS_IMAGES, HAS_INLINE_PTX...
  [[nodiscard]] std::string capability_options(const Macros& macros) const;

 private:
  [[nodiscard]] ProgramText text_of(const std::string& file, const Macros& macros) const;
  void list(const ProgramText& text);
  [[nodiscard]] const std::string& kernel_folder() const {
    return other_kernels_.empty() ? options_.kernel_folder : other_kernels_;
  }

  DeviceInfo device_;
  SessionOptions options_;
  std::string other_kernels_;
  cl::Device cl_device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  Timing timing_;
  std::optional<ProgramBuilder> builder_;  // none in a dry run
  std::vector<ProgramText> listed_;
  Readings* readings_ = nullptr;
  std::map<std::string, std::shared_ptr<const Program>> programs_;
};

}  // namespace dwarfsweep

// Enqueues the kernels of a case and remembers an event of each. This is where kernel times come from.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/command_buffer.hpp"
#include "harness/opencl.hpp"
#include "harness/sample.hpp"
#include "harness/session.hpp"
#include "harness/workspace.hpp"

namespace dwarfsweep {

/// One to three dimensions, in work-items. A local range of no dimensions lets the driver choose.
struct Range {
  Range() = default;
  Range(std::size_t x) : sizes{x, 1, 1}, dimensions(1) {}  // NOLINT(google-explicit-constructor)
  Range(std::size_t x, std::size_t y) : sizes{x, y, 1}, dimensions(2) {}
  Range(std::size_t x, std::size_t y, std::size_t z) : sizes{x, y, z}, dimensions(3) {}

  [[nodiscard]] std::size_t items() const { return sizes[0] * sizes[1] * sizes[2]; }

  std::array<std::size_t, 3> sizes{1, 1, 1};
  unsigned dimensions = 0;
};

class Launcher {
 public:
  enum class Submission { queue, command_buffer };

  explicit Launcher(Session& session, Submission submission = Submission::queue)
      : session_(session), submission_(submission) {}

  /// Sets the arguments (Buffer<T>, cl::LocalSpaceArg, or scalars of OpenCL's types) and enqueues. In order;
  /// does not wait. `global` need be a multiple of `local`. A range of no work-items is skipped. Throws
  /// PointFailure.
  template <typename... Arguments>
  void run(Kernel& kernel, const Range& global, const Range& local, const Arguments&... arguments) {
    if (recording_) {
      Kernel own = kernel;
      own.kernel = copy_of(kernel.kernel);
      set_arguments(own, global, local, arguments...);
      record(own, global, local);
    } else {
      set_arguments(kernel, global, local, arguments...);
      enqueue(kernel, global, local);
    }
  }

  /// Runs `work`: launches and fills among which the host looks at nothing. With Submission::command_buffer
  /// they are recorded the first time that `key` comes, and from then on submitted as a whole: a key stands
  /// for the same launches with the same arguments each time. There is then one time for them all, from the
  /// end of a marker before them to the start of one behind, gaps included: a command buffer's own event need
  /// not last as long as its commands. Throws PointFailure, `unsupported` where the device has no command
  /// buffers.
  template <typename Work>
  void batch(std::size_t key, const Work& work) {
    if (submission_ == Submission::queue) return work();
    std::unique_ptr<CommandBuffer>& commands = batches_[key];
    if (!commands) commands = recorded(work);
    submit(*commands);
  }
  template <typename Work>
  void batch(const Work& work) {
    batch(0, work);
  }

  /// Blocking read of `count` elements inside a launch (a flag, a frontier's length). Counts as wall time
  /// only.
  template <typename T>
  void read(const Buffer<T>& from, T* to, std::size_t count) {
    refuse_to_record("reads");
    if (count > 0) session_.queue().enqueueReadBuffer(from.buffer, CL_TRUE, 0, count * sizeof(T), to);
  }
  /// Blocking write inside a launch. Counts as wall time only.
  template <typename T>
  void write(const T* from, const Buffer<T>& to, std::size_t count) {
    refuse_to_record("writes");
    if (count > 0) session_.queue().enqueueWriteBuffer(to.buffer, CL_TRUE, 0, count * sizeof(T), from);
  }
  template <typename T>
  void fill(const Buffer<T>& buffer, T value) {
    if (recording_) {
      recording_->add_fill(buffer.buffer, &value, sizeof(T), buffer.count * sizeof(T));
    } else {
      session_.fill(buffer.buffer, value, 0, buffer.count * sizeof(T));
    }
  }

  void finish() { session_.queue().finish(); }
  /// Forgets all events. Call before the first launch of a sample.
  void begin() { records_.clear(); }
  /// After finish(): the times per kernel name, "total" last, each divided by `launches`. `fault` of the
  /// sample is set where a timestamp is impossible.
  void collect(Sample& sample) const;

 private:
  struct Record {
    std::size_t name = nameless;  // index into names_
    cl::Event event;              // device timer
    cl::Event behind;  // of a command buffer: the marker behind it, `event` being the one before it
    std::int64_t launches = 1;
    std::int64_t host_ns = 0;  // host timer
  };
  static constexpr std::size_t nameless = ~std::size_t{0};  // counts in the total alone

  template <typename... Arguments>
  void set_arguments(Kernel& kernel, const Range& global, const Range& local, const Arguments&... arguments) {
    cl_uint index = 0;
    try {
      (kernel.kernel.setArg(index++, unwrapped(arguments)), ...);
    } catch (const cl::Error& error) {
      fail(kernel, global, local, "setting argument " + std::to_string(index - 1), error);
    }
  }

  template <typename T>
  static const cl::Buffer& unwrapped(const Buffer<T>& buffer) {
    return buffer.buffer;
  }
  template <typename T>
  static const T& unwrapped(const T& value) {
    return value;
  }

  static cl::Kernel copy_of(const cl::Kernel& kernel);
  template <typename Work>
  std::unique_ptr<CommandBuffer> recorded(const Work& work) {
    struct Recording {
      explicit Recording(Launcher& of)
          : launcher(of), commands(std::make_unique<CommandBuffer>(of.session_)) {
        launcher.recording_ = commands.get();
      }
      ~Recording() { launcher.recording_ = nullptr; }
      Recording(const Recording&) = delete;
      Recording& operator=(const Recording&) = delete;
      Launcher& launcher;
      std::unique_ptr<CommandBuffer> commands;
    };
    Recording recording(*this);
    work();
    recording.commands->finalize();
    return std::move(recording.commands);
  }
  void record(const Kernel& kernel, const Range& global, const Range& local);
  void refuse_to_record(const char* what) const;
  void enqueue(Kernel& kernel, const Range& global, const Range& local);
  void submit(CommandBuffer& commands);
  [[noreturn]] void fail(const Kernel& kernel, const Range& global, const Range& local,
                         const std::string& doing, const cl::Error& error) const;
  [[nodiscard]] std::size_t name_index(const std::string& name);

  Session& session_;
  std::vector<std::string> names_;
  std::vector<Record> records_;
  Submission submission_;
  std::map<std::size_t, std::unique_ptr<CommandBuffer>> batches_;  // by key
  CommandBuffer* recording_ = nullptr;
};

}  // namespace dwarfsweep

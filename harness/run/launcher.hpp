// Enqueues what a run of a case consists of and remembers an event of each command. This is where kernel
// times and spans come from.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/device/host.hpp"
#include "harness/device/opencl.hpp"
#include "harness/run/launch_log.hpp"
#include "harness/run/range.hpp"
#include "harness/run/sample.hpp"
#include "harness/run/session.hpp"
#include "harness/run/workspace.hpp"
#include "harness/space/value.hpp"

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

/// The profiling timestamps of one command, ns on the device's clock.
struct EventTimes {
  std::int64_t queued_ns = 0;
  std::int64_t submit_ns = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};

class Launcher {
 public:
  enum class Submission { queue, command_buffer };
  /// As the axis `submission` says.
  static Submission submission_of(const Config& config);

  explicit Launcher(Session& session, Submission submission = Submission::queue)
      : session_(session), submission_(submission) {}

  /// Sets the arguments (Buffer<T>, cl::LocalSpaceArg, or scalars of OpenCL's types) and enqueues. In order;
  /// does not wait. `global` must be a multiple of `local`. A range of no work-items is skipped. Throws
  /// PointFailure.
  template <typename... Arguments>
  void run(Kernel& kernel, const Range& global, const Range& local, const Arguments&... arguments) {
    if (session_.dry_run()) return;
    if (log_ && global.items() > 0) log_->add(kernel.kernel, global, local, {log_->argument(arguments)...});
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
    if (submission_ == Submission::queue || session_.dry_run()) return work();
    std::unique_ptr<CommandBuffer>& commands = batches_[key];
    if (!commands) commands = recorded(work);
    submit(*commands);
  }
  template <typename Work>
  void batch(const Work& work) {
    batch(0, work);
  }

  /// Blocking read of `count` elements inside a run (a flag, a frontier's length): part of the run's time,
  /// not of a kernel's.
  template <typename T>
  void read(const Buffer<T>& from, T* to, std::size_t count) {
    host_takes_part("reads");
    if (count == 0) return;
    if (session_.dry_run()) return session_.read(from.buffer, to, count * sizeof(T));
    transfer([&](cl::Event* event) { session_.read(from.buffer, to, count * sizeof(T), event); });
  }
  /// Blocking write inside a run, counted as a read is.
  template <typename T>
  void write(const T* from, const Buffer<T>& to, std::size_t count) {
    host_takes_part("writes");
    if (count == 0 || session_.dry_run()) return;
    transfer([&](cl::Event* event) {
      session_.queue().enqueueWriteBuffer(to.buffer, CL_TRUE, 0, count * sizeof(T), from, nullptr, event);
    });
  }
  template <typename T>
  void fill(const Buffer<T>& buffer, T value) {
    if (log_ && buffer.count > 0)
      log_->commands.push_back({.filled_bytes = buffer.count * sizeof(T),
                                .arguments = {log_->argument(buffer), log_->argument(value)}});
    if (recording_) {
      recording_->add_fill(buffer.buffer, &value, sizeof(T), buffer.count * sizeof(T));
    } else if (buffer.count > 0 && !session_.dry_run()) {
      Record record{.kind = Record::Kind::fill};
      std::tie(record.event, record.behind) =
          session_.fill(buffer.buffer, value, 0, buffer.count * sizeof(T));
      keep(std::move(record));
    }
  }
  /// What the host computes within a run, for its result: between two commands it lies within the run's span;
  /// before the first and after the last one it is added to it.
  template <typename Work>
  void host(const Work& work) {
    host_takes_part("computes");
    const std::int64_t begin = now_ns();
    work();
    Record record{.kind = Record::Kind::host};
    record.host_ns = now_ns() - begin;
    keep(std::move(record));
  }

  /// Appends what is enqueued from now on to `log`, which must outlive the launcher.
  void log_to(LaunchLog& log) { log_ = &log; }
  [[nodiscard]] bool uses_command_buffers() const { return submission_ == Submission::command_buffer; }
  void finish() {
    if (!session_.dry_run()) session_.queue().finish();
  }
  /// Forgets all events. Call before the first run of a sample.
  void begin() {
    records_.clear();
    keeping_ = true;
  }
  /// Before each run of a sample of several.
  void begin_run() { ++run_; }
  /// Whether commands get events, or with a host timer are waited for one by one, which takes time that a run
  /// without it does not need. On after begin().
  void keep_times(bool keep) { keeping_ = keep; }
  /// After finish(): the times per kernel name, "total" last, span and host's time, each divided by
  /// `launches`. `fault` of the sample is set where a timestamp is impossible.
  void collect(Sample& sample) const;
  /// After finish(), with the device's timer: of every command since begin(), in order. Throws cl::Error.
  [[nodiscard]] std::vector<EventTimes> event_times() const;

 private:
  struct Record {
    enum class Kind { kernel, batch, transfer, fill, host };
    Kind kind = Kind::kernel;
    std::size_t name = 0;  // of a kernel: index into names_
    cl::Event event{};     // device timer
    cl::Event behind{};  // of a fill the last command's; of a batch the marker's behind it, `event` the one's
                         // before it
    std::int64_t launches = 1;
    std::int64_t host_ns = 0;  // host timer, and what the host computes
    std::size_t run = 0;
  };

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
  void keep(Record record);
  [[nodiscard]] bool waits_for_each() const { return keeping_ && session_.timing().timer == Timer::host; }
  template <typename Enqueue>
  void transfer(const Enqueue& enqueue) {
    if (waits_for_each()) finish();
    Record record{.kind = Record::Kind::transfer};
    const std::int64_t begin = now_ns();
    enqueue(&record.event);
    record.host_ns = now_ns() - begin;
    keep(std::move(record));
  }
  [[nodiscard]] static EventTimes device_times(const Record& record);
  void add_kernel_times(Sample& sample) const;
  void add_spans(Sample& sample) const;
  void host_takes_part(const char* how) const;
  void enqueue(Kernel& kernel, const Range& global, const Range& local);
  void submit(CommandBuffer& commands);
  static void check_groups(const Kernel& kernel, const Range& global, const Range& local);
  [[noreturn]] void fail(const Kernel& kernel, const Range& global, const Range& local,
                         const std::string& doing, const cl::Error& error) const;
  [[nodiscard]] std::size_t name_index(const std::string& name);

  Session& session_;
  std::vector<std::string> names_;
  std::vector<Record> records_;
  Submission submission_;
  std::map<std::size_t, std::unique_ptr<CommandBuffer>> batches_;  // by key
  CommandBuffer* recording_ = nullptr;
  LaunchLog* log_ = nullptr;
  bool keeping_ = true;
  std::size_t run_ = 0;
};

}  // namespace dwarfsweep

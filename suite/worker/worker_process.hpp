// The parent's side of a worker (suite/worker/worker.hpp) or a builder (suite/worker/builder.hpp): start it,
// send it requests, wait no longer than agreed, say how it died.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/space/status.hpp"
#include "suite/record/json.hpp"
#include "suite/worker/child_process.hpp"
#include "suite/worker/interrupt.hpp"
#include "suite/worker/pausable_clock.hpp"
#include "suite/worker/worker_output.hpp"

namespace dwarfsweep {

/// The worker is gone: it crashed, or was killed for a protocol error. The message ends with the last it
/// printed.
class WorkerCrash : public std::runtime_error {
 public:
  explicit WorkerCrash(const std::string& what, Status status = Status::crashed)
      : std::runtime_error(what), status_(status) {}
  /// crashed, or out_of_memory where the system ended it for want of memory.
  [[nodiscard]] Status status() const { return status_; }

 private:
  Status status_;
};

/// The worker did not answer in time and was killed.
class WorkerTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A worker's answer as a value of the expected type. Throws WorkerCrash where it is not one.
template <typename Expected>
Expected answer_as(const Json& answer) {
  try {
    return answer.get<Expected>();
  } catch (const Json::exception& error) {
    throw WorkerCrash(
        std::string("protocol error: the worker process's answer is not of the expected form: ") +
        error.what());
  }
}

class WorkerProcess {
 public:
  /// For a process that may be stopped for a while, or given up by another thread.
  struct Control {
    const PausableClock* clock = nullptr;  ///< the time that limits count
    const std::atomic<bool>* cancelled = nullptr;
  };

  /// What the worker and its drivers print is appended to `output`; empty: goes to standard error.
  /// `environment`: "NAME=value", which take the place of this process's.
  explicit WorkerProcess(const std::string& output, const std::vector<std::string>& environment = {})
      : role_("worker"), output_(output), child_(role_, output, environment) {}
  WorkerProcess(const std::string& role, const std::string& output, const Control& control)
      : role_(role), control_(control), output_(output), child_(role, output) {}

  /// The "result" of the worker's answer. Throws what the answer reports (PointFailure, UsageError,
  /// NoDeviceError), WorkerCrash, WorkerTimeout or Interrupted (also when cancelled); after the last three
  /// the worker is dead.
  Json ask(const Json& request, std::chrono::milliseconds limit);
  /// What the last answer said of points that had to make room: [{"key", "reason"}...].
  [[nodiscard]] const Json& late() const { return late_; }
  /// To the process and what it started; may be called by any thread.
  void signal(int number) const { child_.signal(number); }

 private:
  void send(const std::string& line);
  std::string read_line(std::chrono::milliseconds limit);
  Json parse(const std::string& line);
  [[noreturn]] void died(const std::string& when);
  [[noreturn]] void protocol_error();
  /// "; end of stderr: ...", or nothing.
  [[nodiscard]] std::string end_of_output() const;

  [[nodiscard]] std::chrono::steady_clock::duration now() const;

  std::string role_;
  Control control_;
  WorkerOutput output_;
  ChildProcess child_;
  std::int64_t oom_kills_ = 0;  // of the whole system, when the last request was made
  std::string pending_;         // bytes after the last complete line
  Json late_ = Json::array();
};

}  // namespace dwarfsweep

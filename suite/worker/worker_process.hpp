// The parent's side of a worker, a builder or a counter: start it, send it requests, wait no longer than
// agreed, say how it died.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/space/status.hpp"
#include "suite/record/json.hpp"
#include "suite/worker/child_process.hpp"
#include "suite/worker/interrupt.hpp"
#include "suite/worker/pausable_clock.hpp"
#include "suite/worker/requests.hpp"
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

  /// The answer of the process. Throws what it reports instead (PointFailure, UsageError, NoDeviceError), or
  /// WorkerCrash, WorkerTimeout or Interrupted (also when cancelled); after the last three the process is
  /// dead.
  template <typename Request>
  typename Request::Answer ask(const Request& request, std::chrono::milliseconds limit) {
    const Json result = exchange(write_request(request), limit);
    try {
      return read_answer<Request>(result);
    } catch (const Json::exception& error) {
      wrong_form(Request::name, error.what());
    }
  }
  /// What answers have reported since the last call, errors among them.
  std::vector<DeferredFailure> take_deferred_failures() { return std::exchange(deferred_, {}); }
  /// To the process and what it started; may be called by any thread.
  void signal(int number) const { child_.signal(number); }

 private:
  Json exchange(const std::string& request, std::chrono::milliseconds limit);
  void send(const std::string& line);
  std::string read_line(std::chrono::milliseconds limit);
  [[noreturn]] void died(const std::string& when);
  [[noreturn]] void protocol_error();
  [[noreturn]] void wrong_form(const std::string& request, const std::string& what);
  /// "; end of stderr: ...", or nothing.
  [[nodiscard]] std::string end_of_output() const;

  [[nodiscard]] std::chrono::steady_clock::duration now() const;

  std::string role_;
  Control control_;
  WorkerOutput output_;
  ChildProcess child_;
  std::int64_t oom_kills_ = 0;  // of the whole system, when the last request was made
  std::string pending_;         // bytes after the last complete line
  std::vector<DeferredFailure> deferred_;
};

}  // namespace dwarfsweep

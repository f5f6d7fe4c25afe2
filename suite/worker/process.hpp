// This program once more, as a worker, a builder or a counter: start it, send it requests, wait no longer
// than agreed, say how it died.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/space/error.hpp"
#include "suite/worker/interrupt.hpp"
#include "suite/worker/requests.hpp"

namespace dwarfsweep {

/// The process is gone, and the answer with it: WorkerCrash or WorkerTimeout.
class WorkerLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// It crashed, or was killed for a protocol error. The message ends with the last it printed.
class WorkerCrash : public WorkerLost {
 public:
  explicit WorkerCrash(const std::string& what, Status status = Status::crashed)
      : WorkerLost(what), status_(status) {}
  /// crashed, or out_of_memory if the system ended it for want of memory.
  [[nodiscard]] Status status() const { return status_; }

 private:
  Status status_;
};

/// It did not answer in time and was killed.
class WorkerTimeout : public WorkerLost {
 public:
  using WorkerLost::WorkerLost;
};

/// A clock that stands still while it is paused, as the processes do whose time it limits. Its functions may
/// be called by any thread.
class PausableClock {
 public:
  using Time = std::chrono::steady_clock::duration;

  [[nodiscard]] Time now() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return (paused_ ? pause_begin_ : steady()) - time_paused_;
  }
  /// How much of the steady clock's time from `begin` to `end` it was paused.
  [[nodiscard]] Time time_paused(Time begin, Time end) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    Time paused{0};
    for (const auto& [from, to] : pauses_)
      paused += std::max(Time{0}, std::min(end, to) - std::max(begin, from));
    if (paused_) paused += std::max(Time{0}, end - std::max(begin, pause_begin_));
    return paused;
  }
  void pause() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (paused_) return;
    paused_ = true;
    pause_begin_ = steady();
  }
  void resume() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!paused_) return;
    paused_ = false;
    pauses_.emplace_back(pause_begin_, steady());
    time_paused_ += pauses_.back().second - pauses_.back().first;
  }

 private:
  static Time steady() { return std::chrono::steady_clock::now().time_since_epoch(); }

  mutable std::mutex mutex_;
  bool paused_ = false;
  Time pause_begin_{0};
  Time time_paused_{0};
  std::vector<std::pair<Time, Time>> pauses_;  // that are over
};

class ChildProcess;

class WorkerProcess {
 public:
  /// For a process that may be stopped for a while, or given up by another thread.
  struct Control {
    const PausableClock* clock = nullptr;  ///< the time that limits count
    const std::atomic<bool>* cancelled = nullptr;
  };

  /// What the process and its drivers print is appended to `output`; empty: goes to standard error.
  /// `environment`: "NAME=value", which take the place of this process's. Throws std::runtime_error if the
  /// system starts no process.
  explicit WorkerProcess(const std::string& output, const std::vector<std::string>& environment = {},
                         const std::string& role = "worker");
  /// `role`: "worker", "confined", "builder" or "counter".
  WorkerProcess(const std::string& role, const std::string& output, const Control& control);
  /// Ends the process and what it started.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// The answer of the process. Throws what it reports instead (PointFailure, UsageError, NoDeviceError), or
  /// WorkerCrash, WorkerTimeout or Interrupted (also when cancelled); after the last three the process is
  /// dead.
  template <typename Request>
  typename Request::Answer ask(const Request& request, std::chrono::milliseconds limit) {
    const JsonAnswer result = exchange(write_request(request), limit);
    try {
      return read_answer<Request>(*result);
    } catch (const std::exception& error) {  // a field that is missing, or a number out of range
      wrong_form(Request::name, error.what());
    }
  }
  /// What answers have reported since the last call, errors among them.
  std::vector<DeferredFailure> take_deferred_failures() { return std::exchange(deferred_, {}); }
  /// To the process and what it started; may be called by any thread.
  void signal(int number) const;

 private:
  JsonAnswer exchange(const std::string& request, std::chrono::milliseconds limit);
  void send(const std::string& line);
  std::string read_line(std::chrono::milliseconds limit);
  [[noreturn]] void died(const std::string& when);
  [[noreturn]] void protocol_error();
  [[noreturn]] void wrong_form(const std::string& request, const std::string& what);
  /// "; end of stderr: ...", or nothing: the last that was printed during the request.
  [[nodiscard]] std::string end_of_output() const;
  [[nodiscard]] std::chrono::steady_clock::duration now() const;

  std::string role_;
  Control control_;
  std::string output_;
  std::int64_t output_begin_ = 0;  // size of the output when the request was made
  std::int64_t oom_kills_ = 0;     // of the whole system, when the request was made
  std::unique_ptr<ChildProcess> child_;
  std::string pending_;  // bytes after the last complete line
  std::vector<DeferredFailure> deferred_;
};

}  // namespace dwarfsweep

// Asking other processes: one of them; and one device as the parent sees it, whose worker is started when
// needed, and started again after it died.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/device/inventory.hpp"
#include "harness/run/sample.hpp"
#include "suite/worker/interrupt.hpp"
#include "suite/worker/process.hpp"
#include "suite/worker/requests.hpp"

namespace dwarfsweep {

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
  /// It gets cores that nobody else needs. Call it before the first request.
  void give_way();

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

/// Asks in a worker of its own, so that a driver that crashes does not take the program with it. Throws
/// NoDeviceError where that happens. `environment`: "NAME=value", for that worker.
Inventory ask_inventory(const std::vector<std::string>& environment = {},
                        std::chrono::milliseconds limit = std::chrono::seconds(60));

class DeviceClient {
 public:
  struct Settings {
    std::string kernels;  ///< folder of edited kernels; empty: embedded
    CacheState cache = CacheState::hot;
    std::string output;                            ///< file for what workers print; empty: standard error
    int processes_before = 0;                      ///< workers of this device that the run has had
    std::optional<TimerReport> timer = {};         ///< chosen before; empty: the first worker tests it
    double half_width = 0.03;                      ///< target relative half-width of intervals
    std::map<std::string, double> peaks = {};      ///< of the device, as far as the run has measured them
    std::chrono::milliseconds open_limit{60'000};  ///< loads the driver, compiles and runs the self-test
    std::vector<std::string> environment = {};     ///< of the workers: "NAME=value"
    std::string role = "worker";                   ///< "confined" for foreign kernels
  };
  DeviceClient(DeviceInfo device, Settings settings)
      : device_(std::move(device)),
        settings_(std::move(settings)),
        timer_(settings_.timer),
        process_(settings_.processes_before) {}

  /// Its progress is tested once a worker has opened it.
  [[nodiscard]] const DeviceInfo& device() const { return device_; }
  /// Starts a worker if none has tested the device's progress yet. Throws as `ask` does.
  void test_progress() {
    if (!device_.progress.tested) start();
  }
  /// The timer's self-test, made when the first worker was started, or before. Throws as `ask` does.
  const TimerReport& timer();
  /// Ends the worker; the next one tests the timer again.
  void test_timer_again() {
    worker_.reset();
    timer_.reset();
  }
  /// Ends the worker; later workers use this report.
  void use_timer(const TimerReport& report) {
    worker_.reset();
    timer_ = report;
  }
  /// As WorkerProcess::ask; starts a worker if there is none.
  template <typename Request>
  typename Request::Answer ask(const Request& request, std::chrono::milliseconds limit) {
    if (!worker_) start();
    ++questions_;
    try {
      return worker_->ask(request, limit);
    } catch (const WorkerLost&) {
      worker_.reset();
      throw;
    }
  }
  /// As WorkerProcess::take_deferred_failures, of the current worker.
  std::vector<DeferredFailure> take_deferred_failures();
  /// The first request to another process that is to use the device as this worker does. Starts a worker if
  /// none has opened the device yet. Throws as `ask` does.
  [[nodiscard]] OpenDevice opening();
  /// Number of the current worker process, or of the next where there is none, from 1.
  [[nodiscard]] int process() const { return worker_ ? process_ : process_ + 1; }
  /// Number of requests this worker has been sent.
  [[nodiscard]] int questions() const { return questions_; }
  /// The measured peaks of the device, for later workers.
  void set_peaks(const std::map<std::string, double>& peaks) { settings_.peaks = peaks; }
  /// Ends the worker; the next request starts a new one.
  void stop() { worker_.reset(); }

 private:
  void start();
  [[nodiscard]] OpenDevice opening_request() const;

  DeviceInfo device_;
  Settings settings_;
  std::unique_ptr<WorkerProcess> worker_;
  std::optional<TimerReport> timer_;
  int process_ = 0;
  int questions_ = 0;
};

/// Many jobs for a few processes of one role, before anything is measured.
struct ProcessJobs {
  using Clock = std::chrono::steady_clock;

  std::string role;           ///< "builder", "counter"
  std::size_t count = 0;      ///< of jobs
  std::size_t processes = 1;  ///< at most
  Clock::time_point end;      ///< after which no job is begun
  /// Asks a new process for what comes before its jobs.
  std::function<void(WorkerProcess&)> open;
  /// Does a job; several at the same time, in threads. Throws if it cannot: that job is left out, and the
  /// process is replaced if it has died.
  std::function<void(WorkerProcess&, std::size_t job)> work;
  /// Not null: something is timed meanwhile. The processes leave cores to all others, and end once this is
  /// set.
  const std::atomic<bool>* cancelled = nullptr;

  /// What a request may take: until the end, and at most 20 s.
  [[nodiscard]] std::chrono::milliseconds time_left() const;
};

/// Returns when all are done, or the time is over, or the program was interrupted.
void run_jobs(const ProcessJobs& jobs);

}  // namespace dwarfsweep

// One builder as the parent sees it: a process that is started when needed, and started again after it died.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "harness/program/program_cache.hpp"
#include "suite/engine/build_queue.hpp"
#include "suite/worker/worker_process.hpp"

namespace dwarfsweep {

/// One thread calls do_job(), and any thread the rest.
class BuildProcess {
 public:
  struct Settings {
    DeviceInfo device;
    std::string kernels;  ///< folder of edited kernels; empty: embedded
    std::chrono::milliseconds limit{60'000};
    std::string output;  ///< file to which what builders print is appended; empty: standard error
    WorkerProcess::Control control;
  };

  explicit BuildProcess(const Settings& settings);
  ~BuildProcess();
  BuildProcess(const BuildProcess&) = delete;
  BuildProcess& operator=(const BuildProcess&) = delete;

  /// Does the job in this process or, where there is none, in a new one, and tells the queue. `queue_lock` is
  /// free while the process works. False where the device does not open here: this builder is of no use.
  /// Throws Interrupted.
  bool do_job(const BuildQueue::Job& job, BuildQueue& queue, std::unique_lock<std::mutex>& queue_lock);
  /// SIGSTOP, SIGCONT, SIGKILL; a process that is started later is not stopped. With the queue locked.
  void signal(int number) const;

 private:
  void start();
  void end(std::unique_lock<std::mutex>& queue_lock);
  template <typename Request>
  typename Request::Answer ask(const Request& request, std::unique_lock<std::mutex>& queue_lock);
  bool list(const BuildQueue::Job& job, BuildQueue& queue, std::unique_lock<std::mutex>& queue_lock);
  bool build(const BuildQueue::Job& job, BuildQueue& queue, std::unique_lock<std::mutex>& queue_lock);
  /// Takes the time during which the process was stopped out of the build time in the cache's entry.
  void correct_build_time(const ProgramText& text, const BuildTime& answer) const;
  bool open(std::unique_lock<std::mutex>& queue_lock);
  void keep_output();

  Settings settings_;
  int printed_ = -1;  // a file in memory, of this builder alone: its end tells why it crashed
  std::unique_ptr<WorkerProcess> process_;
  bool is_open_ = false;
  int builds_ = 0;  // of this process
};

}  // namespace dwarfsweep

// Builders of one device: processes that build what the worker will need, one thread of the parent for each.
//
// Nothing is built while anything is timed on the same cores. On a GPU whose host has enough cores, builders
// run all the time. Elsewhere they run only while the parent waits for them, and are stopped (SIGSTOP) at all
// other times.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "suite/engine/build_queue.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {

/// One builder as the parent sees it: a process that is started when needed, and started again after it died.
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

  /// Does the job in this process or, if there is none, in a new one, and reports to the queue. `queue_lock`
  /// is free while the process works. No process is started while `paused`, which is read under the lock.
  /// False if no process starts or the device does not open here: this builder is of no use, and the job is
  /// given back or left to the worker. Throws Interrupted.
  bool do_job(const BuildQueue::Job& job, BuildQueue& queue, std::unique_lock<std::mutex>& queue_lock,
              const bool& paused);
  /// SIGSTOP, SIGCONT, SIGKILL. With the queue locked.
  void signal(int number) const;
  /// The device as the worker has opened it, for later processes. Call it with the queue locked.
  void set_device(const DeviceInfo& device) { settings_.device = device; }

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
  int printed_ = -1;  // a file in memory, of this builder alone: its end shows why it crashed
  std::unique_ptr<WorkerProcess> process_;
  bool is_open_ = false;
  int builds_ = 0;  // of this process
};

class BuildPool {
 public:
  struct Settings {
    DeviceInfo device;
    std::string kernels;                      ///< folder of edited kernels; empty: embedded
    int processes = 1;                        ///< at least 1
    bool beside_timing = false;               ///< they run all the time
    std::chrono::milliseconds limit{60'000};  ///< of each program
    std::string output;                       ///< file for what builders print; empty: standard error
  };

  explicit BuildPool(const Settings& settings);
  /// Ends all processes, whatever they do.
  ~BuildPool();
  BuildPool(const BuildPool&) = delete;
  BuildPool& operator=(const BuildPool&) = delete;

  /// As BuildQueue::add.
  void add(const std::vector<PointRequest>& points, std::size_t early);
  /// As BuildQueue::prefer.
  void prefer(const std::vector<std::string>& keys);
  /// Which of the points the worker had best prepare next: one whose programs are built or have failed; else
  /// one that no builder is at work on; else the first. An index; `keys` is not empty.
  [[nodiscard]] std::size_t choose(const std::vector<std::string>& keys) const;
  /// Waits until the programs of the point are built or have failed; does not wait for what no builder has
  /// begun where builders run all the time, and leaves it to the worker. Nothing: the worker finds out by
  /// itself. A device queue's turn is released meanwhile. Throws Interrupted.
  std::optional<BuildOutcome> wait_for(const std::string& key);
  /// They run all the time, on cores that the device's worker does not need.
  [[nodiscard]] bool works_beside_timing() const { return beside_timing_; }
  /// Builders that run all the time are stopped while another device is timed.
  void stop();
  void go_on();
  /// The device as the worker has opened it, with its progress tested: programs depend on it. To be called
  /// before the first builder works.
  void set_device(const DeviceInfo& device);

 private:
  void work(BuildProcess& process);
  void set_paused(bool paused);
  [[nodiscard]] bool has_to_wait(const std::string& key) const;

  bool beside_timing_;
  std::chrono::milliseconds longest_wait_;
  PausableClock clock_;
  std::atomic<bool> ending_{false};
  mutable std::mutex mutex_;  // guards all below, except each thread's use of its own process
  std::condition_variable changed_;
  BuildQueue queue_;
  bool paused_ = false;
  std::size_t at_work_ = 0;  // threads that have not given up
  std::vector<std::unique_ptr<BuildProcess>> processes_;
  std::vector<std::thread> threads_;
};

}  // namespace dwarfsweep

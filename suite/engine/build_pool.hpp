// Builders of one device: processes that build what the worker will need, one thread of the parent for each.
//
// Nothing is built while anything is timed on the same cores. On a GPU whose host has enough cores, builders
// run all the time. Elsewhere they run only while the parent waits for them, and are stopped (SIGSTOP) at all
// other times.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "suite/engine/build_process.hpp"

namespace dwarfsweep {

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
  /// itself. Throws Interrupted.
  std::optional<BuildOutcome> wait_for(const std::string& key);
  /// Builders that run all the time are stopped while another device is timed.
  void stop();
  void go_on();

 private:
  void work(BuildProcess& process);
  void set_paused(bool paused);
  [[nodiscard]] bool has_to_wait(const std::string& key) const;

  bool beside_timing_;
  PausableClock clock_;
  std::atomic<bool> ending_{false};
  mutable std::mutex mutex_;  // of all below, but for what each thread does with its process
  std::condition_variable changed_;
  BuildQueue queue_;
  bool paused_ = false;
  std::size_t at_work_ = 0;  // threads that have not given up
  std::vector<std::unique_ptr<BuildProcess>> processes_;
  std::vector<std::thread> threads_;
};

}  // namespace dwarfsweep

// A sweep: every point of a plan on every device, prepared, verified, measured in rounds, logged as it
// happens.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

#include "suite/sweep/sweep_queue.hpp"
#include "suite/worker/device_queues.hpp"

namespace dwarfsweep {

/// Two passes over all groups: the baseline and the default configuration of every variant; then the rest, in
/// fair shares of time. A group is visited once in each pass, and again while others have left time to it.
///
/// Devices that share nothing are measured at the same time, each by a SweepQueue.
///
/// The parts: SweepDevices opens a device and measures its characteristics; PointOrder and fair_share decide
/// what is measured next and for how long; BuildAhead builds what comes next; GroupVisit has its points
/// prepared and measured by a Measurer; PointOutcomes writes what becomes of each point into the SweepLog,
/// and decides when the rest of a variant is left out.
class Sweep {
 public:
  /// Writes into `folder`, continuing `log` where that holds a run already. Throws UsageError where another
  /// process writes there, or has written since `log` was read.
  Sweep(const Options& options, const std::filesystem::path& folder, RunLog log)
      : context_(options, folder, std::move(log)), folder_(folder) {}

  /// What is measured from here on is told apart from what the log has. `here`: this program on this host.
  void begin_part(const RunRecord& here);
  /// Chooses the size of each device and dwarf of the groups, as far as the log does not have it; the choices
  /// are then in the log. `groups`: planned at any size. Part of the budget. Stops when interrupted.
  void choose_sizes(const std::vector<SweepGroup>& groups);
  /// Measures all groups. Returns early, without an exception, when interrupted.
  void run(std::vector<SweepGroup>& groups);
  [[nodiscard]] const RunLog& log() const { return context_.log.run(); }
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }

 private:
  struct QueueGroups {
    SweepQueue* queue;
    std::vector<SweepGroup*> groups;
  };

  void begin_log();
  /// Where the best points known come from: to the log and to standard error.
  void say_known_points(const std::vector<SweepGroup>& groups);
  void restore_from_log(std::vector<SweepGroup>& groups);
  SweepQueue& queue(std::size_t number, int cores);
  void make_queues(std::vector<SweepGroup>& groups);
  /// False where the budget was spent before all was done.
  bool run_pass(std::vector<SweepGroup>& groups, Pass pass);
  void visit_stage(std::size_t stage, Pass pass);
  void end_open_points(std::vector<SweepGroup>& groups);

  SweepContext context_;
  std::filesystem::path folder_;
  std::vector<std::unique_ptr<SweepQueue>> queues_;
  std::vector<std::vector<QueueGroups>> stages_;
  bool begun_ = false;  // the log
  bool interrupted_ = false;
};

}  // namespace dwarfsweep

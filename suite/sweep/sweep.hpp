// A sweep: every point of a plan on every device, prepared, verified, measured in rounds, logged as it
// happens.
#pragma once

#include <vector>

#include "suite/sweep/sweep_queue.hpp"

namespace dwarfsweep {

/// Two passes over all groups: the baseline and the default configuration of every variant; then the rest, in
/// fair shares of time. A group has one turn in each pass, and more while others have left time to it.
///
/// Devices that share nothing are measured at the same time, each by a SweepQueue.
///
/// The parts: SweepDevices opens a device and measures its characteristics; PointOrder and fair_share decide
/// what is measured next and for how long; BuildAhead builds what comes next; measure_group has its points
/// prepared and measured by a Measurer; PointOutcomes writes what becomes of each point into the SweepLog,
/// and decides when the rest of a variant is left out.
class Sweep : public StagedRun<SweepQueue> {
 public:
  using StagedRun::StagedRun;

  /// Measurements from here on are kept apart from those in the log. `here`: this program on this host.
  void begin_part(const RunRecord& here);
  /// Measures all groups. Returns early, without an exception, when interrupted.
  void run(std::vector<SweepGroup>& groups);

 private:
  struct QueueGroups {
    SweepQueue* queue;
    std::vector<SweepGroup*> groups;
  };

  /// Where the best points known come from: to the log and to standard error.
  void say_known_points(const std::vector<SweepGroup>& groups);
  /// Although an earlier part has measured the baseline or anchor to its end.
  void measure_in_this_part(SweepPoint& reference) const;
  void restore_from_log(std::vector<SweepGroup>& groups);
  void make_queues(std::vector<SweepGroup>& groups);
  /// False where the budget was spent before all was done.
  bool run_pass(std::vector<SweepGroup>& groups, Pass pass);
  void measure_stage(std::size_t stage, Pass pass);
  void end_open_points(std::vector<SweepGroup>& groups);

  std::vector<std::vector<QueueGroups>> stages_;
};

}  // namespace dwarfsweep

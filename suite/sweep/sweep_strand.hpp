// Some groups of a sweep that are measured one after the other.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "suite/engine/group_visit.hpp"
#include "suite/engine/sweep_devices.hpp"
#include "suite/engine/time_budget.hpp"
#include "suite/sweep/time_shares.hpp"

namespace dwarfsweep {

/// Two passes over all groups: the baseline and the default configuration of every variant; then the rest.
enum class Pass { first, rest };

/// What the strands of a sweep have in common.
struct SweepShared {
  const Options& options;
  SweepLog& log;
  const TimeBudget& budget;
  Progress& progress;
  PointOutcomes& outcomes;
  VariantFailures& failures;
};

/// What each group has to do in this pass.
std::vector<GroupLoad> loads_of(const std::vector<SweepGroup*>& groups, Pass pass, const SweepLog& log);

class SweepStrand {
 public:
  /// What workers and builders print goes to the file `output`. `cores`: for the device and its builders.
  SweepStrand(const SweepShared& shared, const std::filesystem::path& output, int cores)
      : shared_(shared),
        builds_(shared.options, output, cores),
        context_{shared.options, shared.outcomes, shared.progress, builds_},
        devices_(shared.options, output, shared.log, shared.progress) {}

  [[nodiscard]] SweepDevices& devices() { return devices_; }
  /// Those that it will visit, in their order.
  void plan(const std::vector<SweepGroup*>& groups);
  /// One visit to each group that has something to do. `after`: the loads of what comes behind, in other
  /// strands.
  void visit_all(Pass pass, std::span<const GroupLoad> after);
  /// Other strands come: the worker is ended, builders are stopped.
  void leave();
  void end();

 private:
  void visit(SweepGroup& group, Pass pass, std::span<const GroupLoad> still_to_come);
  /// False where its device does not open: its points have failed.
  bool enter(SweepGroup& group);
  void drop_points_of_last_group();

  SweepShared shared_;
  BuildAhead builds_;
  SweepContext context_;
  SweepDevices devices_;
  std::vector<SweepGroup*> groups_;
  const SweepGroup* current_ = nullptr;  // whose points are in the worker
};

}  // namespace dwarfsweep

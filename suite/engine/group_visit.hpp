// One visit to a group of a sweep: its points are prepared, measured in rounds, the best candidate is
// re-measured, energies are measured, and every last output is verified.
#pragma once

#include <chrono>
#include <vector>

#include "suite/engine/measurer.hpp"

namespace dwarfsweep {

/// What a visit is to do.
struct VisitPlan {
  std::vector<SweepPoint*> points;  ///< to prepare, in this order; those whose programs are built go first
  std::chrono::milliseconds share;  ///< of time
  bool brief = false;  ///< the minimum number of blocks is enough for now, and no candidate is re-measured
};

class GroupVisit {
 public:
  using Clock = std::chrono::steady_clock;

  /// `client`: of the group's device.
  GroupVisit(SweepContext& context, BuildAhead& builds, DeviceClient& client, SweepGroup& group)
      : context_(context),
        quality_(context.options.quality),
        outcomes_(context.outcomes),
        builds_(builds),
        group_(group),
        measurer_(context, client, group, &builds) {}

  /// What is left of the share when preparing ends is for measuring. A point that was prepared gets at least
  /// one block; what then lacks time stays open. Throws Interrupted.
  void run(const VisitPlan& plan);

 private:
  void prepare_baseline();
  void prepare(const VisitPlan& plan, Clock::time_point begin);
  [[nodiscard]] double ns_of_pairs(const std::vector<SweepPoint*>& points) const;
  [[nodiscard]] std::vector<SweepPoint*> open_points() const;
  [[nodiscard]] int pairs_that_fit(Clock::time_point deadline) const;
  void measure_rounds(Clock::time_point deadline, int rounds);
  void measure_in_turn(SweepPoint& point, int round, int pairs);
  void stop(SweepPoint& point, const char* reason);
  void measure_energies(std::chrono::milliseconds limit);

  SweepContext& context_;
  const Quality& quality_;
  PointOutcomes& outcomes_;
  BuildAhead& builds_;
  SweepGroup& group_;
  Measurer measurer_;
  std::vector<SweepPoint*> stopped_;  // by the rounds of this visit
};

}  // namespace dwarfsweep

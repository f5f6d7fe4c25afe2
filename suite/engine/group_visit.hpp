// One visit to a group of a sweep: its points are prepared, measured in rounds, the best candidate is
// measured again, energies are measured, and every last output is checked.
#pragma once

#include <chrono>
#include <vector>

#include "suite/engine/point_measurer.hpp"

namespace dwarfsweep {

/// What a visit is to do.
struct VisitPlan {
  std::vector<SweepPoint*> points;  ///< to prepare, in this order; those whose programs are built go first
  std::chrono::milliseconds share;  ///< of time
  bool brief = false;  ///< the minimum number of blocks is enough for now, and no candidate is measured again
};

class GroupVisit {
 public:
  using Clock = std::chrono::steady_clock;

  /// `client`: of the group's device.
  GroupVisit(const SweepContext& context, DeviceClient& client, SweepGroup& group)
      : context_(context), group_(group), measurer_(context, client, group) {}

  /// What is left of the share when preparing ends is for measuring. A point that was prepared gets at least
  /// one block; what then lacks time stays open. Throws Interrupted.
  void run(const VisitPlan& plan);

 private:
  /// A baseline that has ended before is still needed: what is to do is paired with it.
  void prepare_baseline();
  void prepare(const VisitPlan& plan, Clock::time_point begin);
  /// Expected time of the one block that each prepared point has in any case, with one pair.
  [[nodiscard]] std::chrono::milliseconds min_measuring_time() const;
  void check_and_end();

  SweepContext context_;
  SweepGroup& group_;
  PointMeasurer measurer_;
};

}  // namespace dwarfsweep

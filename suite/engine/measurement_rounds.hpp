// Measuring the points of a group in rounds: one measurement block of every point per round, in a fresh
// random order, until each has converged or the time is up.
#pragma once

#include <chrono>
#include <vector>

#include "suite/engine/point_measurer.hpp"

namespace dwarfsweep {

class MeasurementRounds {
 public:
  using Clock = std::chrono::steady_clock;

  MeasurementRounds(const SweepContext& context, PointMeasurer& measurer, SweepGroup& group)
      : options_(context.options), outcomes_(context.outcomes), measurer_(measurer), group_(group) {}

  /// At most `rounds` blocks of each point. Those for which that was not enough, or the time, have no stop
  /// reason. The first round goes beyond the deadline, so that preparing was not in vain.
  void measure_until(Clock::time_point deadline, int rounds);

 private:
  [[nodiscard]] std::vector<SweepPoint*> open_points() const;
  /// Fewer pairs in a block where the minimum number of blocks would not fit otherwise: many short blocks
  /// spread over time tell more than one long block.
  [[nodiscard]] int pairs_that_fit(Clock::time_point deadline) const;
  void measure_round(std::vector<SweepPoint*>& open, int round, int pairs, Clock::time_point deadline);
  void measure_in_turn(SweepPoint& point, int round, int pairs);

  const Options& options_;
  PointOutcomes& outcomes_;
  PointMeasurer& measurer_;
  SweepGroup& group_;
};

}  // namespace dwarfsweep

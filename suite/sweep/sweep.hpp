// A sweep: every point of a plan on every device, prepared, verified, measured in rounds, logged as it
// happens.
#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

#include "suite/sweep/point_measurer.hpp"
#include "suite/sweep/sweep_devices.hpp"
#include "suite/sweep/time_budget.hpp"

namespace dwarfsweep {

/// The recipe. Its parts: SweepDevices opens a device and measures its characteristics; PointMeasurer
/// prepares a point, measures a block of it and checks its last output; MeasurementRounds decides what is
/// measured when and when it is enough; PointOutcomes writes what becomes of each point into the SweepLog;
/// VariantFailures decides when the rest of a variant is left out.
class Sweep {
 public:
  /// Writes into `folder`, continuing `log` where that holds a run already. Throws UsageError where another
  /// process writes there, or has written since `log` was read.
  Sweep(const Options& options, const std::filesystem::path& folder, RunLog log);

  /// Measures all groups. Returns early, without an exception, when interrupted.
  void run(std::vector<SweepGroup>& groups);
  [[nodiscard]] const RunLog& log() const { return log_.run(); }
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }

 private:
  void restore_from_log(std::vector<SweepGroup>& groups);
  void run_all(std::vector<SweepGroup>& groups);
  [[nodiscard]] std::size_t cut_short_by_budget(const std::vector<SweepGroup>& groups) const;
  void run_group(SweepGroup& group, std::chrono::milliseconds share);
  void prepare_all(PointMeasurer& measurer, SweepGroup& group, TimeBudget::Clock::time_point deadline);
  void finish(PointMeasurer& measurer, SweepGroup& group);
  void drop_points(DeviceClient& client);

  Options options_;
  SweepLog log_;
  TimeBudget budget_;
  Progress progress_;
  VariantFailures failures_;
  PointOutcomes outcomes_;
  SweepContext context_;
  SweepDevices devices_;
  bool interrupted_ = false;
};

}  // namespace dwarfsweep

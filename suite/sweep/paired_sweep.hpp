// Two drivers in one run: the points of two environments measured by turns, each by workers of its own.
//
// Runs of two evenings differ by all that the machine did meanwhile. Here each measurement block of a point
// in the old environment stands right beside one in the new, in random order, so that drift and other
// programs meet both, and their ratio can be taken block by block.
#pragma once

#include <filesystem>

#include "suite/engine/point_measurer.hpp"
#include "suite/sweep/paired_plan.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {

class PairedSweep {
 public:
  /// Writes into `folder`. `run`: this program on this host.
  PairedSweep(const Options& options, const std::filesystem::path& folder, const RunRecord& run,
              const PairedSides& sides);

  /// Every point of the groups on both sides: prepared, verified, measured in rounds, its last output
  /// checked. Throws NoDeviceError where a device does not open, and Interrupted.
  void run(std::vector<PairedGroup>& groups);
  [[nodiscard]] const RunLog& log() const { return log_.run(); }

 private:
  using Clock = std::chrono::steady_clock;
  using Measurers = std::array<PointMeasurer, 2>;

  void open_devices();
  /// The device's timer, or the host's clock for both: times by two clocks are not compared.
  void agree_on_timer();
  void measure(PairedGroup& group, Clock::time_point deadline);
  void measure_round(PairedGroup& group, Measurers& measurers, int round, Clock::time_point deadline);
  void end_points(PairedGroup& group, bool all_rounds);

  const Options& options_;
  SweepLog log_;
  TimeBudget budget_;
  Progress progress_;
  VariantFailures failures_;
  PointOutcomes outcomes_;
  BuildAhead builds_;
  SweepContext context_;
  const PairedSides& sides_;
  std::array<DeviceClient, 2> clients_;
};

}  // namespace dwarfsweep

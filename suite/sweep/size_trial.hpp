// What measuring costs at a size: the baseline, prepared once in the device's worker.
#pragma once

#include <chrono>
#include <limits>
#include <optional>

#include "suite/engine/sweep_group.hpp"
#include "suite/plan/auto_size.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {

class TrialRunner {
 public:
  /// `group`: any of the dwarf on the device of `client`.
  TrialRunner(DeviceClient& client, const SweepGroup& group, std::chrono::milliseconds point_timeout)
      : client_(client), baseline_(group.points.front()), point_timeout_(point_timeout) {}

  /// Nothing where the baseline fails, and where the trial alone is expected to take more than a small part
  /// of the group's time. Throws Interrupted.
  std::optional<SizeCost> run(const LadderSize& size, const SizeCost& expected);
  /// Frees the memory of the last trial. Throws Interrupted.
  void finish();

 private:
  DeviceClient& client_;
  const SweepPoint& baseline_;
  std::chrono::milliseconds point_timeout_;
  double compile_seconds_ = std::numeric_limits<double>::infinity();  // within the first run of the baseline
};

}  // namespace dwarfsweep

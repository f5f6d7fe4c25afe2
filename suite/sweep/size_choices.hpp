// The size that auto chooses for each device and dwarf of a sweep.
#pragma once

#include <vector>

#include "suite/engine/sweep_devices.hpp"
#include "suite/plan/auto_size.hpp"
#include "suite/plan/known_sizes.hpp"
#include "suite/sweep/sweep_plan.hpp"

namespace dwarfsweep {

class SizeChooser {
 public:
  SizeChooser(SweepContext& context, SweepDevices& devices)
      : options_(context.options),
        devices_(devices),
        log_(context.log),
        progress_(context.progress),
        known_(KnownSizes::default_path()) {}

  /// `groups`: planned at any size, of which the devices, the dwarfs and the number of points count. Each
  /// choice goes to the log and to standard error. What the log has chosen before, or has measured, stays.
  /// Throws Interrupted.
  void choose(const std::vector<SweepGroup>& groups);

 private:
  void choose(const SweepGroup& group, double group_seconds);
  SizeChoice made_before_or_now(DeviceClient& client, const SweepGroup& group,
                                const std::vector<LadderSize>& ladder, const SizeLimits& limits);
  [[nodiscard]] bool is_settled(const SweepGroup& group) const;
  [[nodiscard]] DeviceRates rates_of(const SweepGroup& group) const;

  const Options& options_;
  SweepDevices& devices_;
  SweepLog& log_;
  Progress& progress_;
  KnownSizes known_;
};

/// What earlier sweeps on this machine have chosen for the devices and dwarfs that `options` name, without
/// measuring. Nothing for those of which nothing is known.
SizeChoices known_choices(const Options& options, const std::vector<DeviceInfo>& devices);

}  // namespace dwarfsweep

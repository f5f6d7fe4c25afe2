// The size that auto chooses for each device and dwarf of a sweep.
#pragma once

#include <vector>

#include "suite/engine/build_ahead.hpp"
#include "suite/engine/sweep_devices.hpp"
#include "suite/sweep/sweep_plan.hpp"

namespace dwarfsweep {

/// `groups`: planned at any size; only their devices, dwarfs and numbers of points matter. Each choice goes
/// to the log and to standard error. Sizes that the log has chosen or measured before are kept.
/// Throws Interrupted.
void choose_sizes(SweepContext& context, SweepDevices& devices, BuildAhead& builds,
                  const std::vector<SweepGroup>& groups);

/// What earlier sweeps on this machine have chosen for the devices and dwarfs that `options` name, without
/// measuring. Those without a known choice are left out.
SizeChoices known_choices(const Options& options, const std::vector<DeviceInfo>& devices);

}  // namespace dwarfsweep

// The size that auto chooses for each device and dwarf of a sweep.
#pragma once

#include <vector>

#include "suite/engine/sweep_devices.hpp"
#include "suite/sweep/sweep_plan.hpp"

namespace dwarfsweep {

/// `groups`: planned at any size, of which the devices, the dwarfs and the number of points count. Each
/// choice goes to the log and to standard error. What the log has chosen before, or has measured, stays.
/// Throws Interrupted.
void choose_sizes(SweepContext& context, SweepDevices& devices, const std::vector<SweepGroup>& groups);

/// What earlier sweeps on this machine have chosen for the devices and dwarfs that `options` name, without
/// measuring. Nothing for those of which nothing is known.
SizeChoices known_choices(const Options& options, const std::vector<DeviceInfo>& devices);

}  // namespace dwarfsweep

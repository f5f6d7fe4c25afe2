// From the options of the command line to the groups of a sweep.
#pragma once

#include <vector>

#include "harness/device/inventory.hpp"
#include "suite/engine/sweep_group.hpp"
#include "suite/plan/options.hpp"

namespace dwarfsweep {

/// The devices that --device names, all without it; each has an identity of its own. Throws NoDeviceError.
std::vector<DeviceInfo> chosen_devices(const Options& options, const Inventory& inventory);

/// Whether each device gets the size that fits it: with `--size auto`, and without --size unless the problem
/// is given by --problem, --input or the plan `paper`, or is one for all devices, as in the plan `transfer`.
bool takes_auto_size(const Options& options);

/// The points of the plan for every chosen device, dwarf and problem. `inventory`: the devices there are;
/// `sizes`: the sizes that auto has chosen, small if it has not; `known`: the points that the plans `best`
/// and `transfer` took before, if the run is resumed. Throws UsageError and NoDeviceError before anything is
/// written.
std::vector<SweepGroup> plan_sweep(const Options& options, const Inventory& inventory,
                                   const SizeChoices& sizes = {}, const KnownPoints& known = {});

/// Takes from the groups of a plan what other shards measure. Each device's points are dealt out in turn,
/// those that can run and those that cannot each by themselves, so that all shards have about the same work
/// of every dwarf. A group keeps its baseline as long as it keeps any point, so that every point is paired in
/// its own run.
void keep_shard(std::vector<SweepGroup>& groups, const Shard& shard);

}  // namespace dwarfsweep

// The points of the plan `transfer`: what did best in earlier runs, the same settings for every device, so
// that each device measures what was best on the others.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run/dwarf.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// A run whose best points are taken.
struct EarlierRun {
  std::string name;  ///< the last part of its folder's name
  std::vector<MeasurementRow> rows;
  std::vector<DeviceInfo> devices;  ///< as the run describes them; none where it has no run.json
};

/// `run` is the folder of a run or a measurements.csv. Throws UsageError and InputError.
EarlierRun read_earlier_run(const std::filesystem::path& run);

/// How many points of a dwarf the plan has, unless those that it always has are more.
inline constexpr std::size_t transfer_points = 15;

/// Complete configurations of the dwarf, none twice, for any device and problem: the best of every run,
/// device and problem; the best of every variant (of one that nobody has measured its default
/// configurations); then, up to `transfer_points` with the baseline, the best of every variant on each type
/// of device, the variants' default configurations on the devices of the runs, and what came next in each
/// run. Times are compared within a run, device and problem alone. Variants that leave out part of the result
/// are not taken.
std::vector<KnownSettings> transfer_settings(const Dwarf& dwarf, const std::vector<EarlierRun>& runs);

}  // namespace dwarfsweep

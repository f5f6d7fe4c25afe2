// One setting for all devices.
#pragma once

#include <cstddef>
#include <optional>

#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// The setting that was timed on every device of the table which has a time, gives the whole result, and
/// has the highest harmonic mean of efficiencies: its time over the shortest one of each device. None where
/// fewer than two devices have times, or no setting has one on all of them.
std::optional<std::size_t> best_single_setting(const SettingTable& table);

}  // namespace dwarfsweep

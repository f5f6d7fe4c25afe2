// Devices from a file: what `devices --json` printed or a run recorded, here or on another machine.
#pragma once

#include <filesystem>

#include "harness/device/inventory.hpp"

namespace dwarfsweep {

/// One device, an inventory, or a run.json. Throws UsageError naming the file, the device and what is
/// missing.
Inventory read_device_file(const std::filesystem::path& file);

}  // namespace dwarfsweep

// Devices that are not here, as their drivers describe them: for tests of what depends on capabilities.
#pragma once

#include <vector>

#include "harness/device/device.hpp"

namespace dwarfsweep::test {

/// GPUs of several vendors and sizes, none of them with inline PTX.
std::vector<DeviceInfo> made_up_gpus();

/// CPUs whose vector registers hold 4, 8 and 16 floats, and one that does not report it.
std::vector<DeviceInfo> made_up_cpus();

/// The GPU of that name. Fails the test where there is none.
DeviceInfo made_up_gpu(const std::string& name);

}  // namespace dwarfsweep::test

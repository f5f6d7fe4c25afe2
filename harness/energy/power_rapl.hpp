// The energy of the host's CPUs by Linux's powercap: Intel's and AMD's RAPL counters.
#pragma once

#include <filesystem>
#include <memory>

#include "harness/energy/power_sensors.hpp"

namespace dwarfsweep {

/// The sum over the packages (sockets), the zones intel-rapl:<number> in `powercap`. Null where there is
/// none, or where one cannot be read: since Linux 5.10 most systems leave that to root.
std::unique_ptr<EnergyMeter> find_rapl(const std::filesystem::path& powercap);

}  // namespace dwarfsweep

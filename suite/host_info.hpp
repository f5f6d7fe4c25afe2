// The machine a run is made on, and where on it the program keeps things.
#pragma once

#include <filesystem>
#include <string>

#include "suite/record.hpp"

namespace dwarfsweep {

HostInfo host_info();

/// The host's own cores as a device of type "host", for the plain C++ versions of the dwarfs.
DeviceInfo host_device();

/// "2026-11-20T10:30:00Z".
std::string utc_now();

/// "<host>-<UTC time>", fit for a folder's name.
std::string new_run_id(const HostInfo& host);

}  // namespace dwarfsweep

// The machine a run is made on, and where on it the program keeps things.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "suite/record/record.hpp"

namespace dwarfsweep {

HostInfo host_info();

/// The host's own cores as a device of type "host", for the plain C++ versions of the dwarfs.
DeviceInfo host_device();

/// "2026-11-20T10:30:00Z".
/// The environment variables that steer OpenCL, its drivers and OpenMP; none whose name promises a secret.
std::map<std::string, std::string> steering_environment();

std::string utc_now();

/// "<host>-<UTC time>", fit for a folder's name.
std::string new_run_id(const HostInfo& host);

}  // namespace dwarfsweep

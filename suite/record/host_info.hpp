// The machine that a run is made on.
#pragma once

#include <map>
#include <string>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Without `cpus.busy_cpus`, which takes a moment to measure.
HostInfo host_info();

/// The host's own cores as a device of type "host", for the plain C++ versions of the dwarfs.
DeviceInfo host_device();

/// The environment variables that influence OpenCL, its drivers and OpenMP, except those whose names suggest
/// a secret.
std::map<std::string, std::string> steering_environment();

/// "2026-11-20T10:30:00Z".
std::string utc_now();

/// "<host>-<UTC time>", usable as the name of a folder.
std::string new_run_id(const HostInfo& host);

}  // namespace dwarfsweep

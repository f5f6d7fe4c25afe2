// The machine that a run is made on, and what moves the timings of its CPUs.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Without `cpus.busy_cpus`, which takes a moment to measure.
HostInfo host_info();

/// The processor's name: the model on x86, and on ARM, whose kernels have no name, the numbers of implementer
/// and part with the machine's model: "ARM implementer 0x41 part 0xd0c (Ampere Altra)". `root` holds the
/// system's folders proc and sys.
std::string processor_name(const std::filesystem::path& root = "/");

/// The host's own cores as a device of type "host", for the plain C++ versions of the dwarfs.
DeviceInfo host_device();

/// All but `busy_cpus`. `root` holds the system's folders proc and sys.
CpuState read_cpu_state(const std::filesystem::path& root = "/");

/// Watches the allowed CPUs for a quarter of a second, in which this process sleeps. Empty if the system
/// does not report it.
std::optional<double> measure_busy_cpus();

/// The same of two contents of /proc/stat, for these CPUs.
std::optional<double> busy_cpus_between(const std::string& before, const std::string& after,
                                        const std::vector<int>& cpus);

/// A sentence where others keep more than a quarter of the allowed CPUs busy; else empty.
std::string load_warning(const CpuState& state);

/// The CPUs that this process may use, ascending. Empty if the system does not report them.
std::vector<int> allowed_cpus();

/// {0, 1, 2, 3, 16} as "0-3,16".
std::string cpu_list_text(const std::vector<int>& cpus);

/// The environment variables that influence OpenCL, its drivers and OpenMP, except those whose names suggest
/// a secret.
std::map<std::string, std::string> steering_environment();

/// "2026-11-20T10:30:00Z".
std::string utc_now();

/// "<host>-<UTC time>", usable as the name of a folder.
std::string new_run_id(const HostInfo& host);

}  // namespace dwarfsweep

// What moves the timings of the host's CPUs.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dwarfsweep {

/// Empty is what the system does not tell. Lists of CPUs are written as the system does: "0-7,16".
struct CpuState {
  std::string allowed;                            ///< the CPUs that this process may use
  std::vector<std::string> governors;             ///< of cpufreq, of the allowed CPUs, each named once
  std::string turbo;                              ///< "on" or "off"
  std::map<std::string, std::string> numa_nodes;  ///< node number -> its CPUs
  std::optional<double> load_average;             ///< of the last minute
  /// How many of the allowed CPUs other programs kept busy, on average over the moment before the run.
  std::optional<double> busy_cpus;
};

/// All but `busy_cpus`. `root` holds the system's folders proc and sys.
CpuState read_cpu_state(const std::filesystem::path& root = "/");

/// Watches the allowed CPUs for a quarter of a second, in which this process sleeps. Nothing where the system
/// does not tell.
std::optional<double> measure_busy_cpus();

/// The same of two contents of /proc/stat, for these CPUs.
std::optional<double> busy_cpus_between(const std::string& before, const std::string& after,
                                        const std::vector<int>& cpus);

/// A sentence where others keep more than a quarter of the allowed CPUs busy; else empty.
std::string load_warning(const CpuState& state);

/// The CPUs that this process may use, ascending. Empty where the system does not tell.
std::vector<int> allowed_cpus();

/// {0, 1, 2, 3, 16} as "0-3,16".
std::string cpu_list_text(const std::vector<int>& cpus);

}  // namespace dwarfsweep

// What this process may use of the host: memory, CPUs, and in a worker for foreign kernels little else. A
// process that asks for more memory than there is gets an error, not the system's out-of-memory killer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dwarfsweep {

/// What this process may still take: what the machine has to spare, or its control group where that is less.
std::uint64_t spare_memory_bytes();

/// From now on allocations fail if they exceed the memory that is available now. If the system still runs
/// out, it ends this process before any other. Sanitizers reserve more than that, so they have no limit.
void limit_own_memory();

/// "this process holds 1.2 GB and may hold 13.4 GB".
std::string describe_own_memory();

/// How often the system has ended a process for lack of memory since boot; 0 if the system does not report
/// it.
std::int64_t count_oom_kills();

/// The CPUs of a list such as "0-7,16", ascending, each once. Throws UsageError where it is not such a list.
std::vector<int> parse_cpu_list(const std::string& list);

/// Binds this process to the CPUs of the list, and with it the worker processes that it starts, before they
/// load any driver; does nothing for an empty list. PoCL makes a thread for each CPU of the machine whatever
/// the binding: the number is set by its environment variables, unless the user has set them. Throws
/// UsageError where the list is malformed or names a CPU that this process may not use.
void bind_to_cpus(const std::string& list);

/// The environment variable with the wall time for which a confined process may use all processors.
inline constexpr const char* confined_seconds = "DWARFSWEEP_CONFINED_SECONDS";

/// Before a worker loads a driver for foreign kernels: no network, no home directory, no large files, no core
/// dumps, no more processor time than that, should it get away from its parent; each where the system allows.
/// To be called before the process has a second thread. The home directory stays visible if the program, its
/// working directory, or what OCL_ICD_VENDORS and LD_LIBRARY_PATH name lies in it.
void confine_process();

}  // namespace dwarfsweep

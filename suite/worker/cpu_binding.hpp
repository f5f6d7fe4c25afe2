// Binding the program to some of the host's CPUs.
#pragma once

#include <string>
#include <vector>

namespace dwarfsweep {

/// The CPUs of a list such as "0-7,16", ascending, each once. Throws UsageError where it is not such a list.
std::vector<int> parse_cpu_list(const std::string& list);

/// Binds this process to the CPUs of the list, and with it the worker processes that it starts, before they
/// load any driver; does nothing for an empty list. PoCL makes a thread for each CPU of the machine whatever
/// the binding: the number is set by its environment variables, unless the user has set them. Throws
/// UsageError where the list is malformed or names a CPU that this process may not use.
void bind_to_cpus(const std::string& list);

}  // namespace dwarfsweep

// A process that asks for more memory than there is gets an error, not the system's out-of-memory killer.
#pragma once

#include <cstdint>
#include <string>

namespace dwarfsweep {

/// What this process may still take: what the machine has to spare, or its control group where that is less.
std::uint64_t spare_memory_bytes();

/// From now on allocations fail that go beyond what is there now; should the system run out all the same, it
/// ends this process before any other. Sanitizers reserve more than there is, and go without.
void limit_own_memory();

/// "this process holds 1.2 GB and may hold 13.4 GB".
std::string describe_own_memory();

/// How often the system has ended a process for want of memory since it was started; 0 where it does not
/// tell.
std::int64_t count_oom_kills();

}  // namespace dwarfsweep

// The host: its clock, its memory, and the variables of this process' environment.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace dwarfsweep {

/// Nanoseconds of the steady clock since an unspecified epoch.
inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// What a timer of resolution `tick_ns` may report for commands during which the host waited `host_ns`: its
/// clock and the host's drift apart by up to 2 %, and neither is read at the very instant.
inline double max_device_ns(double host_ns, std::int64_t tick_ns) {
  return 1.02 * host_ns + 1000 + static_cast<double>(tick_ns);
}

/// All that is built into the machine.
std::uint64_t host_memory_bytes();

/// What this process occupies of it; 0 where the system does not say.
std::uint64_t resident_bytes();

/// From now on this process keeps the memory that it frees for its next arrays. To get pages from the system
/// takes longer than to fill them. Does nothing if the C library is not glibc.
void keep_freed_memory();
/// Returns freed memory to the system.
void return_freed_memory();

/// Throws PointFailure(out_of_memory) where `what` ("crc: a stream of 5 bytes") takes more than all of it.
void require_host_memory(const std::string& what, std::uint64_t bytes);

/// Those whose names begin with one of `prefixes` and hold none of `except`, by name. Never one whose name
/// speaks of a secret (KEY, TOKEN, ...): what is found here is written to files.
std::map<std::string, std::string> environment_of(std::span<const std::string_view> prefixes,
                                                  std::span<const std::string_view> except = {});

}  // namespace dwarfsweep

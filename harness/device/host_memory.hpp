// The host's memory.
#pragma once

#include <cstdint>
#include <string>

namespace dwarfsweep {

/// All that is built into the machine.
std::uint64_t host_memory_bytes();

/// Throws PointFailure(out_of_memory) where `what` ("crc: a stream of 5 bytes") takes more than all of it.
void require_host_memory(const std::string& what, std::uint64_t bytes);

}  // namespace dwarfsweep

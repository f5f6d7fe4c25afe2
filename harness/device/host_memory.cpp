#include "harness/device/host_memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "harness/space/status.hpp"

namespace dwarfsweep {

std::uint64_t host_memory_bytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void require_host_memory(const std::string& what, std::uint64_t bytes) {
  const std::uint64_t available = host_memory_bytes();
  if (bytes <= available) return;
  throw PointFailure(Status::out_of_memory,
                     fmt::format("{}: takes {} bytes of memory, the host has {}", what, bytes, available));
}

}  // namespace dwarfsweep

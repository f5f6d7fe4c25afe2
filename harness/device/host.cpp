#include "harness/device/host.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

constexpr std::array<std::string_view, 6> secrets = {"KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CRED"};

}  // namespace

std::map<std::string, std::string> environment_of(std::span<const std::string_view> prefixes,
                                                  std::span<const std::string_view> except) {
  std::map<std::string, std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    const auto holds = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (name.size() == text.size() || std::ranges::none_of(prefixes, begins)) continue;
    if (std::ranges::any_of(secrets, holds) || std::ranges::any_of(except, holds)) continue;
    found[std::string(name)] = text.substr(name.size() + 1);
  }
  return found;
}

std::uint64_t host_memory_bytes() {
  return memory_bytes();
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  if (!(file >> all >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

void return_freed_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

void require_host_memory(const std::string& what, std::uint64_t bytes) {
  const std::uint64_t available = host_memory_bytes();
  if (bytes <= available) return;
  throw PointFailure(Status::out_of_memory,
                     fmt::format("{}: takes {} bytes of memory, the host has {}", what, bytes, available));
}

}  // namespace dwarfsweep

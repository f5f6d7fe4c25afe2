#include "suite/worker/cpu_binding.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>

#include "harness/space/error.hpp"
#include "suite/record/host_info.hpp"

namespace dwarfsweep {
namespace {

[[noreturn]] void refuse(const std::string& list) {
  throw UsageError(
      fmt::format("--cpus is '{}', but must be a list of CPU numbers and ranges such as 0-7,16", list));
}

std::optional<int> parse_cpu(const std::string& text) {
  int cpu = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
  if (error != std::errc() || end != text.data() + text.size() || cpu < 0 || cpu >= CPU_SETSIZE)
    return std::nullopt;
  return cpu;
}

}  // namespace

std::vector<int> parse_cpu_list(const std::string& list) {
  std::set<int> cpus;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const std::string part = list.substr(begin, comma - begin);
    const std::size_t dash = part.find('-');
    const auto first = parse_cpu(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_cpu(part.substr(dash + 1));
    if (!first || !last || *last < *first) refuse(list);
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.insert(cpu);
    begin = comma + 1;
  }
  return {cpus.begin(), cpus.end()};
}

void bind_to_cpus(const std::string& list) {
  if (list.empty()) return;
  const std::vector<int> wanted = parse_cpu_list(list);
  const std::vector<int> allowed = allowed_cpus();
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : wanted) {
    if (!std::binary_search(allowed.begin(), allowed.end(), cpu)) {
      throw UsageError(fmt::format("--cpus names CPU {}, but this process may only use the CPUs {}", cpu,
                                   cpu_list_text(allowed)));
    }
    CPU_SET(cpu, &set);
  }
  if (::sched_setaffinity(0, sizeof set, &set) != 0)
    throw UsageError(fmt::format("--cpus {}: {}", list, std::strerror(errno)));
  const std::string count = std::to_string(wanted.size());
  for (const char* name : {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"})
    ::setenv(name, count.c_str(), 0);
}

}  // namespace dwarfsweep

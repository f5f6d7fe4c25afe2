#include "suite/worker/host_limits.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>

#include "harness/space/error.hpp"
#include "suite/record/host_info.hpp"

namespace dwarfsweep {
namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

// The number after `key` in files such as /proc/meminfo, in their unit of 1024 bytes.
std::optional<std::uint64_t> kilobytes(const char* file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(key, 0) == 0) return std::stoull(line.substr(key.size()));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const std::string& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  if (stream >> number) return number;
  return std::nullopt;  // not there, or "max"
}

// Within a container the control group's own files lie at the top.
std::uint64_t spare_in_group() {
  const std::pair<const char*, const char*> versions[] = {
      {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
  for (const auto& [max_file, current_file] : versions) {
    const auto limit = number_in(max_file);
    const auto used = number_in(current_file);
    if (limit && used) return *limit - std::min(*limit, *used);
  }
  return unknown;
}

std::uint64_t held_bytes() {
  return kilobytes("/proc/self/status", "VmData:").value_or(0) * 1024;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

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

// --- confinement

constexpr rlim_t max_file_bytes = rlim_t{4} << 30U;

void limit(int resource, rlim_t most) {
  rlimit limits{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limits) != 0) return;
  limits.rlim_cur = limits.rlim_max = std::min(limits.rlim_max, most);
  ::setrlimit(static_cast<__rlimit_resource>(resource), &limits);
}

// Whether this process has mounts of its own now. Without the rights of root it needs users of its own first,
// and stays the user that it was.
bool leave_network() {
  const auto user = ::geteuid();
  const auto group = ::getegid();
  if (::unshare(CLONE_NEWNET | CLONE_NEWNS) == 0) return true;
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << fmt::format("{} {} 1", user, user);
  std::ofstream("/proc/self/gid_map") << fmt::format("{} {} 1", group, group);
  return true;
}

bool is_needed(const std::string& home) {
  std::error_code ignored;
  const auto inside = [&](const std::string& path) {
    return path.find(home + "/") != std::string::npos || path == home;
  };
  for (const char* variable : {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "LD_LIBRARY_PATH", "TMPDIR"}) {
    if (const char* value = std::getenv(variable); value && inside(value)) return true;
  }
  return inside(std::filesystem::read_symlink("/proc/self/exe", ignored).string()) ||
         inside(std::filesystem::current_path(ignored).string());
}

// The user's, whatever HOME says.
void hide_home() {
  const passwd* const user = ::getpwuid(::getuid());
  const std::string home = user && user->pw_dir ? user->pw_dir : "";
  if (home.size() < 2 || is_needed(home)) return;
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return;
  ::mount("tmpfs", home.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "size=1m");
}

}  // namespace

std::uint64_t spare_memory_bytes() {
  const auto available = kilobytes("/proc/meminfo", "MemAvailable:");
  return std::min(available ? *available * 1024 : unknown, spare_in_group());
}

void limit_own_memory() {
  std::ofstream("/proc/self/oom_score_adj") << 1000;
  const std::uint64_t spare = spare_memory_bytes();
  rlimit limit{};
  if (sanitized || spare == unknown || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, held_bytes() + spare);
  ::setrlimit(RLIMIT_DATA, &limit);
}

std::string describe_own_memory() {
  rlimit limit{};
  ::getrlimit(RLIMIT_DATA, &limit);
  const auto gigabytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e9; };
  std::string text = fmt::format("this process holds {:.2f} GB", gigabytes(held_bytes()));
  if (limit.rlim_cur != RLIM_INFINITY)
    text += fmt::format(" and may hold {:.2f} GB", gigabytes(limit.rlim_cur));
  return text;
}

std::int64_t count_oom_kills() {
  std::ifstream counters("/proc/vmstat");
  std::string name;
  for (std::int64_t count = 0; counters >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return 0;
}

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
    if (!std::ranges::binary_search(allowed, cpu)) {
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

void confine_process() {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, max_file_bytes);
  if (const char* seconds = std::getenv(confined_seconds))
    limit(RLIMIT_CPU,
          std::strtoul(seconds, nullptr, 10) * static_cast<rlim_t>(::sysconf(_SC_NPROCESSORS_ONLN)));
  if (leave_network()) hide_home();
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

}  // namespace dwarfsweep

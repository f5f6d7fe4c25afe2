#include "suite/worker/confine.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace dwarfsweep {
namespace {

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

#include "suite/record/cpu_state.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// The first line of a file; empty where there is none.
std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::vector<std::string> governors_of(const fs::path& cpus, const std::vector<int>& allowed) {
  std::vector<std::string> governors;
  for (const int cpu : allowed) {
    const std::string governor = first_line(cpus / fmt::format("cpu{}", cpu) / "cpufreq/scaling_governor");
    if (!governor.empty() && std::find(governors.begin(), governors.end(), governor) == governors.end())
      governors.push_back(governor);
  }
  return governors;
}

// Intel's driver tells what is switched off, the others what is switched on.
std::string turbo_of(const fs::path& cpus) {
  const std::string off = first_line(cpus / "intel_pstate/no_turbo");
  if (!off.empty()) return off == "0" ? "on" : "off";
  const std::string on = first_line(cpus / "cpufreq/boost");
  if (!on.empty()) return on == "0" ? "off" : "on";
  return "";
}

std::map<std::string, std::string> numa_nodes_of(const fs::path& nodes) {
  std::map<std::string, std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(nodes, error)) {
    const std::string name = entry.path().filename();
    if (name.rfind("node", 0) != 0 || name.find_first_not_of("0123456789", 4) != std::string::npos) continue;
    const std::string cpus = first_line(entry.path() / "cpulist");
    if (!cpus.empty()) found[name.substr(4)] = cpus;
  }
  return found;
}

struct Ticks {
  std::int64_t busy = 0;
  std::int64_t all = 0;
};

// The lines "cpu<number> user nice system idle iowait irq softirq steal ..." of /proc/stat. What a guest uses
// is contained in user and nice.
Ticks ticks_of(const std::string& stat, const std::vector<int>& cpus) {
  Ticks ticks;
  std::istringstream lines(stat);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    const auto is_line_of = [&](int cpu) { return name == fmt::format("cpu{}", cpu); };
    if (std::none_of(cpus.begin(), cpus.end(), is_line_of)) continue;
    std::int64_t value = 0;
    for (int column = 0; column < 8 && words >> value; ++column) {
      const bool idle = column == 3 || column == 4;
      ticks.all += value;
      ticks.busy += idle ? 0 : value;
    }
  }
  return ticks;
}

std::string proc_stat() {
  std::ifstream stream("/proc/stat");
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

std::string cpu_list_text(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t begin = 0; begin < cpus.size();) {
    std::size_t end = begin + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text +=
        end - begin == 1 ? fmt::format("{}", cpus[begin]) : fmt::format("{}-{}", cpus[begin], cpus[end - 1]);
    begin = end;
  }
  return text;
}

CpuState read_cpu_state(const fs::path& root) {
  const fs::path cpus = root / "sys/devices/system/cpu";
  const std::vector<int> allowed = allowed_cpus();
  CpuState state;
  state.allowed = cpu_list_text(allowed);
  state.governors = governors_of(cpus, allowed);
  state.turbo = turbo_of(cpus);
  state.numa_nodes = numa_nodes_of(root / "sys/devices/system/node");
  std::ifstream load(root / "proc/loadavg");
  double average = 0;
  if (load >> average) state.load_average = average;
  return state;
}

std::optional<double> busy_cpus_between(const std::string& before, const std::string& after,
                                        const std::vector<int>& cpus) {
  const Ticks first = ticks_of(before, cpus);
  const Ticks last = ticks_of(after, cpus);
  if (last.all <= first.all || last.busy < first.busy) return std::nullopt;
  return static_cast<double>(last.busy - first.busy) / static_cast<double>(last.all - first.all) *
         static_cast<double>(cpus.size());
}

std::optional<double> measure_busy_cpus() {
  const std::string before = proc_stat();
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  return busy_cpus_between(before, proc_stat(), allowed_cpus());
}

std::string load_warning(const CpuState& state) {
  constexpr double max_share = 0.25;
  // Counted from the list, which may be that of another machine.
  double count = 0;
  std::istringstream parts(state.allowed);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t dash = part.find('-');
    count += dash == std::string::npos ? 1 : 1 + std::stod(part.substr(dash + 1)) - std::stod(part);
  }
  if (!state.busy_cpus || *state.busy_cpus <= max_share * count) return "";
  return fmt::format(
      "other programs kept {:.1f} of the {:.0f} CPUs busy before the run: timings of CPUs are "
      "less certain",
      *state.busy_cpus, count);
}

}  // namespace dwarfsweep

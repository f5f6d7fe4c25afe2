#include "suite/record/host_info.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "harness/device/host.hpp"
#include "suite/record/json.hpp"

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
    if (!governor.empty() && std::ranges::find(governors, governor) == governors.end())
      governors.push_back(governor);
  }
  return governors;
}

// Intel's driver reports whether turbo is off, the others whether it is on.
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
    if (std::ranges::none_of(cpus, is_line_of)) continue;
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

// The texts after ':' or '=' of the lines that begin with `key`, without quotes, each once.
std::vector<std::string> values_of(const fs::path& file, const std::string& key) {
  std::vector<std::string> values;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t end = line.find_first_of(":=");
    if (end == std::string::npos || line.substr(0, line.find_last_not_of(" \t", end - 1) + 1) != key)
      continue;
    std::string value = line.substr(end + 1);
    std::erase(value, '"');
    value.erase(0, value.find_first_not_of(" \t"));
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

std::string first_or_unknown(const std::vector<std::string>& values) {
  return values.empty() ? "unknown" : values.front();
}

// The model from the device tree or the firmware; empty if neither states it.
std::string machine_model(const fs::path& root) {
  for (const char* const file : {"sys/firmware/devicetree/base/model", "sys/class/dmi/id/product_name"}) {
    const std::string model = first_line(root / file);
    if (!model.empty()) return model.substr(0, model.find('\0'));
  }
  return "";
}

std::tm utc(std::chrono::system_clock::time_point time) {
  return fmt::gmtime(std::chrono::system_clock::to_time_t(time));
}

}  // namespace

std::string processor_name(const fs::path& root) {
  const fs::path cpuinfo = root / "proc/cpuinfo";
  for (const char* const key : {"model name", "cpu", "uarch"}) {  // x86, POWER, RISC-V
    if (const auto names = values_of(cpuinfo, key); !names.empty()) return names.front();
  }
  // Large and small cores of one chip are parts of their own.
  const std::vector<std::string> implementers = values_of(cpuinfo, "CPU implementer");
  const std::vector<std::string> parts = values_of(cpuinfo, "CPU part");
  const std::string model = machine_model(root);
  if (implementers.empty() || parts.empty()) return model.empty() ? "unknown" : model;
  return fmt::format("ARM implementer {} part {}{}", fmt::join(implementers, ", "), fmt::join(parts, ", "),
                     model.empty() ? "" : " (" + model + ")");
}

HostInfo host_info() {
  HostInfo host;
  utsname names{};
  ::uname(&names);
  host.name = as_utf8(names.nodename);
  host.processor = processor_name();
  const std::string distribution = first_or_unknown(values_of("/etc/os-release", "PRETTY_NAME"));
  host.system = fmt::format("{}, {} {}", distribution, names.sysname, names.release);
  const auto allowed = static_cast<unsigned>(allowed_cpus().size());
  host.threads = allowed > 0 ? allowed : std::max(1U, std::thread::hardware_concurrency());
  host.memory_bytes = host_memory_bytes();
  host.cpus = read_cpu_state();
  return host;
}

DeviceInfo host_device() {
  const HostInfo host = host_info();
  DeviceInfo device;
  device.index = "host";
  device.platform = "native";
  device.name = host.processor;
  device.id = "native/" + host.processor;
  device.type = "host";
  device.driver = "g++ " __VERSION__;
  device.capabilities.compute_units = host.threads;
  device.capabilities.global_bytes = host.memory_bytes;
  return device;
}

std::map<std::string, std::string> steering_environment() {
  constexpr std::array<std::string_view, 19> prefixes = {"DWARFSWEEP_POWERCAP",
                                                         "OCL_",
                                                         "OPENCL_",
                                                         "POCL_",
                                                         "RUSTICL_",
                                                         "LP_",
                                                         "GALLIUM_",
                                                         "GALLIVM_",
                                                         "IGC_",
                                                         "MESA_",
                                                         "CUDA_VISIBLE_",
                                                         "CUDA_DEVICE_",
                                                         "CUDA_CACHE_",
                                                         "CL_",
                                                         "OCLGRIND_",
                                                         "OMP_",
                                                         "GOMP_",
                                                         "SYCL_",
                                                         "GLIBC_TUNABLES"};
  return environment_of(prefixes);
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc(std::chrono::system_clock::now()));
}

std::string new_run_id(const HostInfo& host) {
  std::string name = host.name;
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_'; }, '_');
  return fmt::format("{}-{:%Y%m%dT%H%M%SZ}", name.empty() ? "host" : name,
                     utc(std::chrono::system_clock::now()));
}

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
      "other programs kept {:.1f} of the {:.0f} CPUs busy before the run, so timings of CPUs are "
      "less certain; end those programs, or keep both apart with --cpus",
      *state.busy_cpus, count);
}

}  // namespace dwarfsweep

#include "suite/record/host_info.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <array>
#include <cctype>
#include <chrono>
#include <fstream>
#include <thread>

#include "harness/device/environment.hpp"
#include "harness/device/host_memory.hpp"

namespace dwarfsweep {
namespace {

// The text after ':' or '=' of the first line that begins with `key`.
std::string line_value(const std::string& file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(key, 0) != 0) continue;
    std::string value = line.substr(line.find_first_of(":=") + 1);
    value.erase(std::remove(value.begin(), value.end(), '"'), value.end());
    value.erase(0, value.find_first_not_of(" \t"));
    return value;
  }
  return "unknown";
}

std::tm utc(std::chrono::system_clock::time_point time) {
  return fmt::gmtime(std::chrono::system_clock::to_time_t(time));
}

}  // namespace

HostInfo host_info() {
  HostInfo host;
  utsname names{};
  ::uname(&names);
  host.name = names.nodename;
  host.processor = line_value("/proc/cpuinfo", "model name");
  host.system = line_value("/etc/os-release", "PRETTY_NAME") + ", " + names.sysname + " " + names.release;
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
  constexpr std::array<std::string_view, 18> prefixes = {"DWARFSWEEP_POWERCAP",
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
                                                         "SYCL_"};
  return environment_of(prefixes);
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc(std::chrono::system_clock::now()));
}

std::string new_run_id(const HostInfo& host) {
  std::string name = host.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_'; },
      '_');
  return fmt::format("{}-{:%Y%m%dT%H%M%SZ}", name.empty() ? "host" : name,
                     utc(std::chrono::system_clock::now()));
}

}  // namespace dwarfsweep

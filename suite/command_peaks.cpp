// `peaks`: what the devices can do at most.
#include <fmt/format.h>

#include "harness/status.hpp"
#include "suite/commands.hpp"
#include "suite/device_client.hpp"
#include "suite/sweep.hpp"

namespace dwarfsweep {
namespace {

constexpr std::chrono::minutes peaks_limit{5};  // some seconds on most devices; interpreters need minutes

}  // namespace

int command_peaks(const Options& options) {
  catch_interrupts();
  Json all = Json::array();
  int status = 0;
  for (const DeviceInfo& device : chosen_devices(options, ask_inventory())) {
    DeviceClient client(device, {options.kernels, CacheState::hot, ""});
    try {
      const Json peaks = client.ask({{"do", "peaks"}}, peaks_limit);
      if (options.json) {
        all.push_back({{"device", device.name}, {"device_id", device.id}, {"peaks", peaks}});
        continue;
      }
      fmt::print("{}\n", describe(device));
      for (const auto& [name, value] : peaks.items()) fmt::print("  {:<26} {:>12.2f}\n", name, value.get<double>());
    } catch (const std::runtime_error& error) {
      fmt::print(stderr, "dwarfsweep: measuring {} failed: {}\n", device.name, error.what());
      status = 1;
    }
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
  return status;
}

}  // namespace dwarfsweep

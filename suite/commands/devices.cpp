// `devices`: every OpenCL device, and platforms that have none.
#include <fmt/format.h>

#include <algorithm>

#include "suite/commands/commands.hpp"
#include "suite/record/json.hpp"
#include "suite/worker/device_client.hpp"

namespace dwarfsweep {
namespace {

std::string human_bytes(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, value < 10 && unit > 0 ? 1 : 0, units[unit]);
}

}  // namespace

int command_devices(const Options& options) {
  const Inventory inventory = ask_inventory();
  if (options.json) {
    fmt::print("{}\n", Json(inventory).dump(2));
  } else {
    std::size_t width = 4;
    for (const DeviceInfo& device : inventory.devices) width = std::max(width, device.name.size());
    fmt::print("{:<6} {:<12} {:<{}}  {:>5}  {:>9}  {:>9}  {:>7}  {}\n", "index", "type", "name", width,
               "units", "memory", "local", "group", "platform");
    for (const DeviceInfo& device : inventory.devices) {
      fmt::print("{:<6} {:<12} {:<{}}  {:>5}  {:>9}  {:>9}  {:>7}  {}\n", device.index, device.type,
                 device.name, width, device.capabilities.compute_units,
                 human_bytes(device.capabilities.global_bytes), human_bytes(device.capabilities.local_bytes),
                 device.capabilities.work_group_items, device.platform + ", " + device.platform_version);
    }
    for (const PlatformNote& note : inventory.notes) fmt::print("skipped: {} {}\n", note.platform, note.note);
  }
  if (!inventory.devices.empty()) return 0;
  fmt::print(stderr,
             "dwarfsweep: there is no OpenCL device; install one, for example the package pocl-opencl-icd\n");
  return 3;
}

}  // namespace dwarfsweep

// `peaks`: the peak rates of the devices.
#include <fmt/format.h>

#include "suite/commands/ask_each_device.hpp"
#include "suite/commands/commands.hpp"

namespace dwarfsweep {
namespace {

void print_peaks(const DeviceInfo& device, const Json& peaks) {
  fmt::print("{}\n", describe(device));
  for (const auto& [name, value] : peaks.items())
    fmt::print("  {:<26} {:>12.2f}\n", name, value.get<double>());
}

}  // namespace

int command_peaks(const Options& options) {
  return ask_each_device(options, "peaks", print_peaks);
}

}  // namespace dwarfsweep

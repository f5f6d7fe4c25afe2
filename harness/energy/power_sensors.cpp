#include "harness/energy/power_sensors.hpp"

#include <algorithm>
#include <cstdlib>

#include "harness/energy/power_nvml.hpp"
#include "harness/energy/power_rapl.hpp"

namespace dwarfsweep {

namespace {

// One device that two platforms offer has "#<index>" behind its identity.
std::string physical_id(const DeviceInfo& device) {
  return device.id.substr(0, device.id.find('#'));
}

}  // namespace

std::filesystem::path PowerSources::default_powercap() {
  const char* const given = std::getenv("DWARFSWEEP_POWERCAP");
  return given ? given : "/sys/class/powercap";
}

ClockReading average(const ClockReading& begin, const ClockReading& end) {
  ClockReading mean;
  if (begin.mhz && end.mhz) mean.mhz = (*begin.mhz + *end.mhz) / 2;
  if (begin.throttle_reasons && end.throttle_reasons) {
    mean.throttle_reasons = begin.throttle_reasons;
    for (const std::string& reason : *end.throttle_reasons) {
      auto& all = *mean.throttle_reasons;
      if (std::find(all.begin(), all.end(), reason) == all.end()) all.push_back(reason);
    }
  }
  return mean;
}

PowerSensors find_power_sensors(const DeviceInfo& device, const PowerSources& sources) {
  PowerSensors sensors;
  if (device.type == "cpu" || device.type == "host") {
    sensors.energy = find_rapl(sources.powercap);
  } else if (auto found = NvmlDevice::find(sources.nvml, physical_id(device))) {
    const std::shared_ptr<NvmlDevice> shared = std::move(found);
    sensors.energy = energy_meter_of(shared);
    sensors.clock = clock_monitor_of(shared);
  }
  return sensors;
}

}  // namespace dwarfsweep

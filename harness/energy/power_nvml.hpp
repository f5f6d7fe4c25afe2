// NVIDIA's management library, loaded when it is there; nothing is linked. The functions, their arguments and
// the bits of the throttle reasons are those of nvml.h.
#pragma once

#include <memory>
#include <string>

#include "harness/energy/power_sensors.hpp"

namespace dwarfsweep {

/// One device of an NVML library, which stays loaded and initialised as long as this lives.
class NvmlDevice {
 public:
  /// `id`: DeviceInfo::id, "uuid-<32 hexadecimal digits>" or "pci-<bus>:<slot>". Null where there is no such
  /// library, where it does not initialise, and where not exactly one device has that identity.
  static std::unique_ptr<NvmlDevice> find(const std::string& library, const std::string& id);

  virtual ~NvmlDevice() = default;
  virtual std::optional<double> joules() = 0;
  virtual ClockReading clock() = 0;
};

/// Null where the device does not tell.
std::unique_ptr<EnergyMeter> energy_meter_of(const std::shared_ptr<NvmlDevice>& device);
std::unique_ptr<ClockMonitor> clock_monitor_of(const std::shared_ptr<NvmlDevice>& device);

}  // namespace dwarfsweep

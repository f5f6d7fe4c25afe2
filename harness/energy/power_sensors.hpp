// What a device reports about its energy and its clock, if anything: NVIDIA's devices by NVML, which
// is loaded when it is there, the host's CPUs by Linux's powercap (RAPL).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/device/device.hpp"

namespace dwarfsweep {

/// A counter of the energy that a whole device takes, idle or not. It moves in steps, of NVML about every
/// 100 ms: no energy of a single run can be read from it.
class EnergyMeter {
 public:
  virtual ~EnergyMeter() = default;
  /// "nvml" or "rapl".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Joules since an unspecified moment; nothing where the counter cannot be read (any more).
  virtual std::optional<double> joules() = 0;
};

/// The clock that a device reports: at one moment, or on average over a time span. Empty: not reported.
struct ClockReading {
  std::optional<double> mhz;  ///< of the arithmetic units
  /// Why the clock is held down: power_cap, hardware_slowdown, sync_boost, thermal, hardware_thermal,
  /// power_brake; none: it is not. A clock that the user has set, and idling, are no such reasons.
  std::optional<std::vector<std::string>> throttle_reasons;

  friend bool operator==(const ClockReading&, const ClockReading&) = default;
};

class ClockMonitor {
 public:
  virtual ~ClockMonitor() = default;
  virtual ClockReading read() = 0;
};

/// The mean clock, and all reasons, of a begin and an end.
ClockReading average(const ClockReading& begin, const ClockReading& end);

/// A null member: the device does not report it.
struct PowerSensors {
  std::unique_ptr<EnergyMeter> energy;
  std::unique_ptr<ClockMonitor> clock;
};

/// Where the sensors are looked for. Tests put others there.
struct PowerSources {
  std::string nvml = "libnvidia-ml.so.1";
  /// The environment variable DWARFSWEEP_POWERCAP names another.
  std::filesystem::path powercap = default_powercap();

  static std::filesystem::path default_powercap();
};

/// The sensors of this device and no other: an OpenCL device is found in NVML by its UUID or its PCI bus, and
/// has none where two could be meant. A CPU has those of all its sockets together. Never throws.
PowerSensors find_power_sensors(const DeviceInfo& device, const PowerSources& sources = {});

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

/// Null if the device does not report its energy.
std::unique_ptr<EnergyMeter> energy_meter_of(const std::shared_ptr<NvmlDevice>& device);
std::unique_ptr<ClockMonitor> clock_monitor_of(const std::shared_ptr<NvmlDevice>& device);

/// The sum over the packages (sockets), the zones intel-rapl:<number> in `powercap`. Null where there is
/// none, or where one cannot be read: since Linux 5.10 most systems leave that to root.
std::unique_ptr<EnergyMeter> find_rapl(const std::filesystem::path& powercap);

}  // namespace dwarfsweep

// Which OpenCL devices there are, and how one is chosen.
#pragma once

#include <string>
#include <vector>

#include "harness/device/device.hpp"

namespace dwarfsweep {

/// Why a platform, or one of its devices, is not used.
struct PlatformNote {
  std::string platform;
  std::string note;
};

struct Inventory {
  std::vector<DeviceInfo> devices;
  std::vector<PlatformNote> notes;
};

/// Asks the OpenCL loader. Never throws for a broken platform: that becomes a note.
Inventory discover_devices();

/// The devices that a selector names: an index "0:0", a type `cpu|gpu|accelerator|all`, or part of the
/// platform's name, vendor or version or of the device's name, in any case. Throws NoDeviceError, which lists
/// the devices.
std::vector<DeviceInfo> select_devices(const Inventory& inventory, const std::string& selector);

}  // namespace dwarfsweep

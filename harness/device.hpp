// What OpenCL devices there are, what each can do, and how one is chosen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/space.hpp"

namespace dwarfsweep {

/// Everything worth telling about one device. Plain data: it travels between processes and into run.json.
struct DeviceInfo {
  std::string index;  ///< "platform:device", in the order in which the loader reports them
  std::string id;     ///< survives re-ordering: a UUID or PCI address where the driver tells it
  std::string platform;
  std::string platform_version;
  std::string platform_vendor;
  std::string name;
  std::string vendor;
  std::string driver;     ///< CL_DRIVER_VERSION
  std::string type;       ///< cpu, gpu, accelerator or other; "host" for the program's own CPU code
  std::string version;    ///< CL_DEVICE_VERSION
  std::string c_version;  ///< CL_DEVICE_OPENCL_C_VERSION
  std::vector<std::string> extensions;
  Capabilities capabilities;
  std::uint32_t clock_mhz = 0;
  std::uint64_t global_cache_bytes = 0;
  std::uint64_t base_alignment_bytes = 0;  ///< CL_DEVICE_MEM_BASE_ADDR_ALIGN
  std::uint64_t timer_resolution_ns = 0;
  bool checks_bounds = false;  ///< an interpreter that reports accesses out of bounds by itself

  [[nodiscard]] bool has_extension(const std::string& name) const;
  /// Sets those capabilities that follow from the type and the extensions.
  void derive_capabilities();
  /// May a group wait in a loop for one that began before it, and read what that wrote? Not on Oclgrind,
  /// which takes the word that they share for a race, nor on llvmpipe, which leaves any loop after 65,535
  /// iterations, nor on a GPU without PTX, since OpenCL 1.2 has no fence among groups.
  [[nodiscard]] bool groups_may_wait() const;
  /// Is it a CPU where that costs little? Not one with fewer cores than compute units: there a group that
  /// waits keeps the one that it waits for from running, for a time slice each time.
  [[nodiscard]] bool cores_wait_cheaply() const;
};

/// A platform that offers no device to use, and why.
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
/// platform's name, vendor or version or of the device's name, in any case. Throws NoDeviceError that lists
/// what there is.
std::vector<DeviceInfo> select_devices(const Inventory& inventory, const std::string& selector);

/// One line for lists and errors: "0:0 cpu  pthread-... (Portable Computing Language)".
std::string describe(const DeviceInfo& device);

}  // namespace dwarfsweep

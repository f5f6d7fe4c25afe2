// What an OpenCL device is and can do. harness/device/inventory.hpp finds devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/space/space.hpp"

namespace dwarfsweep {

/// What the test of harness/run/self_test.hpp has found.
struct ProgressReport {
  bool tested = false;
  std::string fault;            ///< why groups must not wait, as a clause; empty: they may
  std::uint32_t groups = 0;     ///< of the test
  std::uint32_t pairs_met = 0;  ///< of groups that ran at the same time; 0: they run one after the other
};

/// The characteristics of one device. Plain data: it is sent between processes and written to run.json.
struct DeviceInfo {
  std::string index;  ///< "platform:device", in the order in which the loader reports them
  std::string id;     ///< survives re-ordering: a UUID or PCI address where the driver reports one
  std::string platform;
  std::string platform_version;
  std::string platform_vendor;
  std::string name;
  std::string vendor;
  std::string driver;     ///< CL_DRIVER_VERSION
  std::string type;       ///< cpu, gpu, accelerator or other; "host" for the program's own CPU code
  std::string version;    ///< CL_DEVICE_VERSION
  std::string c_version;  ///< CL_DEVICE_OPENCL_C_VERSION
  /// The newest version of OpenCL C that its compiler takes, "1.2", "2.0" or "3.0".
  std::string newest_c_version = "1.2";
  std::vector<std::string> extensions;
  Capabilities capabilities;
  std::uint32_t clock_mhz = 0;
  std::uint64_t global_cache_bytes = 0;
  std::uint64_t base_alignment_bytes = 0;  ///< CL_DEVICE_MEM_BASE_ADDR_ALIGN
  std::uint64_t timer_resolution_ns = 0;
  ProgressReport progress;
  bool checks_bounds = false;  ///< an interpreter that reports accesses out of bounds by itself
  /// The total number of iterations after which a work-item's loops end, wrongly; 0: no limit.
  std::uint64_t max_iterations = 0;

  [[nodiscard]] bool has_extension(const std::string& name) const;
  /// Sets those capabilities that follow from the type and the extensions.
  void derive_capabilities();
  /// May a group wait in a loop for one that began before it, and read what that wrote? Only if the device
  /// has ordered atomics, and groups that have started continue to run; the latter is assumed until a test
  /// shows otherwise.
  [[nodiscard]] bool groups_may_wait() const { return why_groups_must_not_wait().empty(); }
  /// A clause; empty where they may.
  [[nodiscard]] std::string why_groups_must_not_wait() const;
  /// Is it a CPU on which such waiting costs little? Not with fewer cores than compute units: there a waiting
  /// group occupies the core that the awaited one needs, for a time slice each time.
  [[nodiscard]] bool spin_waiting_is_cheap() const;
};

/// One line for lists and errors: "0:0 cpu  pthread-... (Portable Computing Language)".
std::string describe(const DeviceInfo& device);

}  // namespace dwarfsweep

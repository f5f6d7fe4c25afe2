#include "harness/energy/power_sensors.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cctype>
#include <utility>

#include "harness/device/host.hpp"

namespace dwarfsweep {
namespace {

// From nvml.h.
using Handle = void*;
constexpr int success = 0;
constexpr unsigned sm_clock = 1;
struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, device_and_vendor, subsystem;
  char bus_id[32];
};
constexpr std::array<std::pair<unsigned long long, const char*>, 6> throttle_bits = {{
    {0x04, "power_cap"},
    {0x08, "hardware_slowdown"},
    {0x10, "sync_boost"},
    {0x20, "thermal"},
    {0x40, "hardware_thermal"},
    {0x80, "power_brake"},
}};

// The library, loaded and initialised. The optional functions are null where its version lacks them.
class Nvml {
 public:
  explicit Nvml(const std::string& path) : library_(::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
    if (library_ == nullptr) return;
    int (*initialise)() = nullptr;
    find("nvmlInit_v2", initialise);
    find("nvmlShutdown", shut_down_);
    find("nvmlDeviceGetCount_v2", count);
    find("nvmlDeviceGetHandleByIndex_v2", by_index);
    find("nvmlDeviceGetUUID", uuid);
    find("nvmlDeviceGetPciInfo_v3", pci);
    find("nvmlDeviceGetTotalEnergyConsumption", energy);
    find("nvmlDeviceGetClockInfo", clock);
    // Renamed in driver 535; the old name is still there.
    if (!find("nvmlDeviceGetCurrentClocksEventReasons", reasons))
      find("nvmlDeviceGetCurrentClocksThrottleReasons", reasons);
    usable_ = initialise && count && by_index && uuid && initialise() == success;
  }
  ~Nvml() {
    if (usable_ && shut_down_) shut_down_();
    if (library_ != nullptr) ::dlclose(library_);
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  [[nodiscard]] bool usable() const { return usable_; }

  int (*count)(unsigned*) = nullptr;
  int (*by_index)(unsigned, Handle*) = nullptr;
  int (*uuid)(Handle, char*, unsigned) = nullptr;
  int (*pci)(Handle, void* info) = nullptr;                  // optional, as all that follow
  int (*energy)(Handle, unsigned long long*) = nullptr;      // mJ
  int (*clock)(Handle, unsigned type, unsigned*) = nullptr;  // MHz
  int (*reasons)(Handle, unsigned long long* bits) = nullptr;

 private:
  template <typename Function>
  bool find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    return function != nullptr;
  }

  void* library_;
  int (*shut_down_)() = nullptr;
  bool usable_ = false;
};

// "GPU-75cf1a59-a80c-..." as DeviceInfo::id has it.
std::string uuid_id(const Nvml& nvml, Handle device) {
  char text[96] = {};
  if (nvml.uuid(device, text, sizeof text) != success) return "";
  std::string id = "uuid-";
  for (const char* c = text + (std::string_view(text).rfind("GPU-", 0) == 0 ? 4 : 0); *c != '\0'; ++c) {
    if (*c != '-') id += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  }
  return id;
}

// OpenCL's slot has the function in its last three bits.
std::string pci_id(const Nvml& nvml, Handle device) {
  PciInfo info{};
  if (!nvml.pci || nvml.pci(device, &info) != success) return "";
  return fmt::format("pci-{:02x}:{:02x}", info.bus, info.device << 3U);
}

class LoadedNvmlDevice final : public NvmlDevice {
 public:
  LoadedNvmlDevice(std::unique_ptr<Nvml> nvml, Handle handle) : nvml_(std::move(nvml)), handle_(handle) {}

  std::optional<double> joules() override {
    unsigned long long millijoules = 0;
    if (!nvml_->energy || nvml_->energy(handle_, &millijoules) != success) return std::nullopt;
    return static_cast<double>(millijoules) * 1e-3;
  }

  ClockReading clock() override {
    ClockReading reading;
    unsigned mhz = 0;
    if (nvml_->clock && nvml_->clock(handle_, sm_clock, &mhz) == success && mhz > 0) reading.mhz = mhz;
    unsigned long long bits = 0;
    if (nvml_->reasons && nvml_->reasons(handle_, &bits) == success) {
      auto& reasons = reading.throttle_reasons.emplace();
      for (const auto& [bit, name] : throttle_bits) {
        if ((bits & bit) != 0) reasons.emplace_back(name);
      }
    }
    return reading;
  }

 private:
  std::unique_ptr<Nvml> nvml_;
  Handle handle_;
};

class NvmlEnergyMeter final : public EnergyMeter {
 public:
  explicit NvmlEnergyMeter(std::shared_ptr<NvmlDevice> device) : device_(std::move(device)) {}
  [[nodiscard]] std::string name() const override { return "nvml"; }
  std::optional<double> joules() override { return device_->joules(); }

 private:
  std::shared_ptr<NvmlDevice> device_;
};

// A reading may take longer than a measurement block: one is used again until fifty times as long has passed
// as it took, so that reading takes at most 2 % of the time.
class NvmlClockMonitor final : public ClockMonitor {
 public:
  explicit NvmlClockMonitor(std::shared_ptr<NvmlDevice> device) : device_(std::move(device)) {}

  ClockReading read() override {
    const std::int64_t begin = now_ns();
    if (begin < next_ns_) return last_;
    last_ = device_->clock();
    const std::int64_t end = now_ns();
    next_ns_ = end + 50 * (end - begin);
    return last_;
  }

 private:
  std::shared_ptr<NvmlDevice> device_;
  ClockReading last_;
  std::int64_t next_ns_ = 0;
};

}  // namespace

std::unique_ptr<NvmlDevice> NvmlDevice::find(const std::string& library, const std::string& id) {
  auto nvml = std::make_unique<Nvml>(library);
  unsigned count = 0;
  if (!nvml->usable() || nvml->count(&count) != success) return nullptr;
  std::vector<Handle> found;
  for (unsigned i = 0; i < count; ++i) {
    Handle device = nullptr;
    if (nvml->by_index(i, &device) != success) continue;
    if (id == uuid_id(*nvml, device) || id == pci_id(*nvml, device)) found.push_back(device);
  }
  if (found.size() != 1) return nullptr;
  return std::make_unique<LoadedNvmlDevice>(std::move(nvml), found.front());
}

std::unique_ptr<EnergyMeter> energy_meter_of(const std::shared_ptr<NvmlDevice>& device) {
  return device->joules() ? std::make_unique<NvmlEnergyMeter>(device) : nullptr;
}

std::unique_ptr<ClockMonitor> clock_monitor_of(const std::shared_ptr<NvmlDevice>& device) {
  return device->clock() == ClockReading() ? nullptr : std::make_unique<NvmlClockMonitor>(device);
}

}  // namespace dwarfsweep

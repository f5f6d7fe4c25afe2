#include "harness/energy/power_sensors.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> read_number(const fs::path& file) {
  std::ifstream stream(file);
  std::int64_t value = 0;
  if (!(stream >> value)) return std::nullopt;
  return value;
}

// intel-rapl:0 is a package, intel-rapl:0:1 a part of it. A zone of that kind may also be the whole platform.
bool is_package(const fs::path& zone) {
  const std::string name = zone.filename();
  constexpr std::string_view prefix = "intel-rapl:";
  if (name.rfind(prefix, 0) != 0 || name.find(':', prefix.size()) != std::string::npos) return false;
  std::ifstream stream(zone / "name");
  std::string what;
  stream >> what;
  return what.rfind("package", 0) == 0;
}

class RaplMeter final : public EnergyMeter {
 public:
  explicit RaplMeter(const std::vector<fs::path>& zones) {
    for (const fs::path& zone : zones) {
      packages_.push_back({zone / "energy_uj", read_number(zone / "max_energy_range_uj").value_or(0),
                           read_number(zone / "energy_uj").value_or(0)});
    }
  }

  [[nodiscard]] std::string name() const override { return "rapl"; }

  std::optional<double> joules() override {
    for (Package& package : packages_) {
      const auto now = read_number(package.counter);
      if (!now) return std::nullopt;
      if (*now < package.last_uj) {
        if (package.range_uj <= 0) return std::nullopt;
        used_uj_ += package.range_uj;  // it wrapped around
      }
      used_uj_ += *now - package.last_uj;
      package.last_uj = *now;
    }
    return static_cast<double>(used_uj_) * 1e-6;
  }

 private:
  struct Package {
    fs::path counter;
    std::int64_t range_uj = 0;
    std::int64_t last_uj = 0;
  };

  std::vector<Package> packages_;
  std::int64_t used_uj_ = 0;
};

}  // namespace

std::unique_ptr<EnergyMeter> find_rapl(const fs::path& powercap) {
  std::vector<fs::path> zones;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(powercap, error)) {
    if (!is_package(entry.path())) continue;
    if (!read_number(entry.path() / "energy_uj")) return nullptr;
    zones.push_back(entry.path());
  }
  return zones.empty() ? nullptr : std::make_unique<RaplMeter>(zones);
}

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

#include "suite/tune/objective.hpp"

#include <fmt/format.h>

#include "harness/space/error.hpp"
#include "suite/worker/worker_process.hpp"

namespace dwarfsweep {
namespace {

// The management library is loaded by a worker, as all of a driver.
bool has_meter(const DeviceInfo& device) {
  constexpr std::chrono::seconds limit{30};
  try {
    return !WorkerProcess("").ask(FindMeter{device}, limit).empty();
  } catch (const WorkerCrash&) {
    return false;
  } catch (const WorkerTimeout&) {
    return false;
  }
}

}  // namespace

Objective objective_of(const std::string& name) {
  if (name == "energy") return Objective::energy;
  return name == "both" ? Objective::both : Objective::time;
}

void require_meters(const std::vector<DeviceInfo>& devices, const std::string& objective) {
  for (const DeviceInfo& device : devices) {
    if (has_meter(device)) continue;
    throw UsageError(fmt::format(
        "--objective {} needs a device that tells its energy, and {} ({}) does not: NVIDIA's GPUs "
        "tell it by NVML, CPUs by RAPL where /sys/class/powercap may be read (often by root alone); "
        "--objective time does without",
        objective, device.name, device.id));
  }
}

}  // namespace dwarfsweep

#include "suite/engine/sweep_group.hpp"

#include <algorithm>

namespace dwarfsweep {

std::size_t points_to_do(const SweepGroup& group) {
  return static_cast<std::size_t>(
      std::count_if(group.points.begin(), group.points.end(),
                    [](const SweepPoint& point) { return point.rejected.empty() && !point.ended; }));
}

std::vector<const DeviceInfo*> devices_of(const std::vector<SweepGroup>& groups) {
  std::vector<const DeviceInfo*> devices;
  for (const SweepGroup& group : groups) devices.push_back(&group.device);
  return devices;
}

}  // namespace dwarfsweep

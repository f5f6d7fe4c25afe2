#include "suite/search/carve_metrics.hpp"

#include <algorithm>

namespace dwarfsweep {
namespace {

std::uint64_t divide_up(std::uint64_t number, std::uint64_t divisor) {
  return (number + divisor - 1) / divisor;
}

std::uint64_t warps_of(const ProcessorLimits& limits, const GroupNeeds& group) {
  return divide_up(group.items, limits.warp);
}

}  // namespace

std::uint64_t resident_groups(const ProcessorLimits& limits, const GroupNeeds& group) {
  if (group.items == 0) return 0;
  const std::uint64_t warps = warps_of(limits, group);
  std::uint64_t groups = std::min(limits.groups, limits.items / (warps * limits.warp));
  if (group.registers > 0) {
    const std::uint64_t of_warp =
        divide_up(group.registers * limits.warp, limits.register_step) * limits.register_step;
    groups = std::min(groups, limits.registers / (warps * of_warp));
  }
  const std::uint64_t local = group.local_bytes + limits.local_bytes_of_group;
  return local > 0 ? std::min(groups, limits.local_bytes / local) : groups;
}

double carve_efficiency(const InstructionCounts& counts) {
  return 1 / counts.instructions;
}

double carve_utilisation(const InstructionCounts& counts, const ProcessorLimits& limits,
                         const GroupNeeds& group) {
  const auto groups = static_cast<double>(resident_groups(limits, group));
  if (groups == 0) return 0;
  const auto warps = static_cast<double>(warps_of(limits, group));
  const double of_work_item = counts.instructions / counts.threads;
  return of_work_item / counts.regions * ((warps - 1) / 2 + (groups - 1) * warps);
}

}  // namespace dwarfsweep

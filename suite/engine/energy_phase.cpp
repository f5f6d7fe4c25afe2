#include "suite/engine/energy_phase.hpp"

#include <algorithm>

#include "harness/energy/power_phase.hpp"
#include "suite/engine/best_candidate.hpp"

namespace dwarfsweep {

void measure_energies(SweepGroup& group, const SweepContext& context, PointMeasurer& measurer,
                      std::chrono::milliseconds limit) {
  constexpr double max_seconds = 5;
  const double seconds = std::min(max_seconds, static_cast<double>(limit.count()) * 0.5e-3);
  if (seconds < EnergyLimits().min_seconds || context.options.cache == CacheState::cold) return;
  if (!group.points.front().baseline) return;  // plain C++ on the host
  const RunLog& run = context.outcomes.log().run();
  for (SweepPoint* const point : {&group.points.front(), best_remeasured(group, context.outcomes.log())}) {
    if (point == nullptr || !point->alive || run.energies.contains(point->key.text())) continue;
    if (!measurer.measure_energy(*point, seconds)) return;
  }
}

}  // namespace dwarfsweep

#include "suite/sweep/best_candidate.hpp"

#include <algorithm>

#include "harness/statistics.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {

SweepPoint* find_best_candidate(SweepGroup& group, const SweepLog& log) {
  SweepPoint* best = nullptr;
  double best_ratio = 1;
  for (SweepPoint& point : group.points) {
    const PointRecord* known = log.find(point);
    if (point.baseline || known == nullptr || known->preparation.status != Status::ok) continue;
    if (!gives_whole_result(point.key.dwarf, Config::parse(point.key.config).string("variant"))) continue;
    const std::vector<KernelSamples> kernels = collect_samples(log.ordinary_blocks(point));
    if (kernels.empty()) continue;
    const auto speedup = paired_speedup(kernels.back().pairs);
    if (speedup && speedup->ratio > best_ratio) {
      best = &point;
      best_ratio = speedup->ratio;
    }
  }
  return best;
}

void remeasure_best_candidate(SweepGroup& group, const SweepContext& context, PointMeasurer& measurer) {
  const SweepLog& log = context.outcomes.log();
  SweepPoint* const best = find_best_candidate(group, log);
  if (!best) return;
  const int pairs = std::max(1, static_cast<int>(log.blocks(*best).front().samples.size()) / 2);
  const auto first = static_cast<int>(log.ordinary_blocks(*best).size());
  const auto done = static_cast<int>(log.blocks(*best).size()) - first;
  for (int i = done; i < context.options.quality.blocks && best->alive && measurer.has_time_for_block(*best);
       ++i) {
    measurer.measure_block(*best, {.round = first + i, .pairs = pairs, .confirmation = true});
  }
}

}  // namespace dwarfsweep

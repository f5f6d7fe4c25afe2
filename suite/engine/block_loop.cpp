#include "suite/engine/block_loop.hpp"

#include <algorithm>

#include "harness/statistics/statistics.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {

StopWhen after_rounds(int rounds) {
  return [=](int blocks) { return blocks >= rounds; };
}

StopWhen at_deadline(std::chrono::steady_clock::time_point deadline, int sure) {
  return [=](int blocks) { return blocks >= sure && std::chrono::steady_clock::now() > deadline; };
}

StopWhen when_converged(std::function<std::vector<BlockRecord>()> blocks, const Quality& quality,
                        IntervalOf interval) {
  return [=](int) { return converged(blocks(), quality, interval); };
}

StopWhen first_of(std::vector<StopWhen> rules) {
  return [rules = std::move(rules)](int blocks) {
    return std::ranges::any_of(rules, [&](const StopWhen& enough) { return enough(blocks); });
  };
}

bool converged(const std::vector<BlockRecord>& blocks, const Quality& quality, IntervalOf interval,
               const std::vector<BlockRecord>& anchor_blocks) {
  const std::vector<KernelSamples> kernels = collect_samples(blocks);
  if (kernels.empty()) return false;
  const StoppingRule rule{quality.half_width, static_cast<std::size_t>(quality.blocks),
                          static_cast<std::size_t>(quality.rounds)};
  if (interval == IntervalOf::speedup) {
    if (const auto speedup = speedup_over_baseline(blocks, anchor_blocks, sequential_confidence))
      return rule.satisfied(blocks.size(), relative_half_width(*speedup));
  }
  const auto summary = summary_of(kernels.back(), sequential_confidence);
  return summary && rule.satisfied(blocks.size(), relative_half_width(*summary));
}

}  // namespace dwarfsweep

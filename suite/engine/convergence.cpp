#include "suite/engine/convergence.hpp"

#include "harness/statistics/statistics.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

bool satisfied(const Quality& quality, std::size_t blocks, double half_width) {
  const StoppingRule rule{quality.half_width, static_cast<std::size_t>(quality.blocks),
                          static_cast<std::size_t>(quality.rounds)};
  return rule.satisfied(blocks, half_width);
}

}  // namespace

bool converged(const std::vector<BlockRecord>& blocks, const Quality& quality) {
  const std::vector<KernelSamples> kernels = collect_samples(blocks);
  if (kernels.empty()) return false;
  if (const auto speedup = paired_speedup(kernels.back().pairs, sequential_confidence)) {
    return satisfied(quality, blocks.size(), relative_half_width(*speedup));
  }
  return time_converged(blocks, quality);
}

bool time_converged(const std::vector<BlockRecord>& blocks, const Quality& quality) {
  const std::vector<KernelSamples> kernels = collect_samples(blocks);
  if (kernels.empty()) return false;
  const auto summary = summarise(kernels.back().blocks, sequential_confidence);
  return summary && satisfied(quality, blocks.size(), relative_half_width(*summary));
}

}  // namespace dwarfsweep

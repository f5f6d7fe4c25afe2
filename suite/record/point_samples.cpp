#include "suite/record/point_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace dwarfsweep {
namespace {

// The kernels of the point itself, which its own samples name; the baseline's may be others.
std::vector<KernelSamples> find_kernels(const std::vector<BlockRecord>& blocks) {
  std::vector<KernelSamples> kernels;
  for (const BlockRecord& block : blocks) {
    for (const BlockSample& taken : block.samples) {
      if (taken.role != PairRole::variant) continue;
      for (const KernelTime& time : taken.sample.kernels) {
        if (std::any_of(kernels.begin(), kernels.end(),
                        [&](const auto& k) { return k.kernel == time.kernel; })) {
          continue;
        }
        kernels.emplace_back().kernel = time.kernel;
      }
    }
  }
  std::stable_partition(kernels.begin(), kernels.end(), [](const auto& k) { return k.kernel != "total"; });
  return kernels;
}

struct HalfPair {
  double baseline_ns = 0;
  double variant_ns = 0;
};

void add_block(KernelSamples& kernel, const BlockRecord& block) {
  std::vector<double>& times = kernel.blocks.emplace_back();
  std::map<int, HalfPair> halves;
  for (const BlockSample& taken : block.samples) {
    const bool own = taken.role == PairRole::variant;
    for (const KernelTime& time : taken.sample.kernels) {
      if (time.kernel != kernel.kernel) continue;
      const std::string why = why_dropped(taken.sample, time);
      kernel.taken += own ? 1 : 0;
      if (!why.empty()) {
        if (own && kernel.dropped++ == 0) kernel.first_drop = why;
        continue;
      }
      if (own) times.push_back(time.ns);
      HalfPair& half = halves[taken.pair];
      (own ? half.variant_ns : half.baseline_ns) = time.ns;
    }
  }
  std::vector<SamplePair>& pairs = kernel.pairs.emplace_back();
  if (!block.paired) return;
  for (const auto& [number, half] : halves) {
    if (half.baseline_ns > 0 && half.variant_ns > 0) pairs.push_back({half.baseline_ns, half.variant_ns});
  }
}

}  // namespace

std::string why_dropped(const Sample& sample, const KernelTime& time) {
  if (!sample.fault.empty()) return sample.fault;
  // Below the resolution of the timer a duration may be 0, which has no ratio.
  if (!std::isfinite(time.ns) || time.ns <= 0) return fmt::format("a duration of {} ns", time.ns);
  return "";
}

std::size_t KernelSamples::pair_count() const {
  std::size_t count = 0;
  for (const auto& block : pairs) count += block.size();
  return count;
}

std::vector<KernelSamples> collect_samples(const std::vector<BlockRecord>& blocks) {
  std::vector<KernelSamples> kernels = find_kernels(blocks);
  for (KernelSamples& kernel : kernels) {
    for (const BlockRecord& block : blocks) add_block(kernel, block);
  }
  return kernels;
}

}  // namespace dwarfsweep

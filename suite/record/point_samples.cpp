#include "suite/record/point_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace dwarfsweep {
namespace {

// The kernels of the point itself, which its own samples name; the baseline's may be others.
std::vector<KernelSamples> find_kernels(const std::vector<BlockRecord>& blocks) {
  std::vector<KernelSamples> kernels;
  for (const BlockRecord& block : blocks) {
    for (const BlockSample& taken : block.samples) {
      if (taken.role != PairRole::variant) continue;
      for (const KernelTime& time : taken.sample.kernels) {
        if (std::ranges::any_of(kernels, [&](const auto& k) { return k.kernel == time.kernel; })) {
          continue;
        }
        kernels.emplace_back().kernel = time.kernel;
      }
    }
  }
  std::stable_partition(kernels.begin(), kernels.end(), [](const auto& k) { return k.kernel != "total"; });
  return kernels;
}

// The steady clock counts nanoseconds.
std::int64_t host_tick_ns(const BlockRecord& block) {
  return std::min<std::int64_t>(1, block.tick_ns);
}

double relative_tick(std::int64_t tick_ns, const std::vector<double>& sample_ns) {
  return sample_ns.empty() ? 0 : static_cast<double>(tick_ns) / median(sample_ns);
}

struct HalfPair {
  double baseline_ns = 0;
  double variant_ns = 0;
};

// `time_of` a sample: its value, or nothing where the sample has none. `tick_ns`: of the clock that took it.
template <typename TimeOf>
void add_block(KernelSamples& kernel, const BlockRecord& block, std::int64_t tick_ns, const TimeOf& time_of) {
  std::vector<double>& times = kernel.blocks.emplace_back();
  std::vector<double> own_ns;  // of whole samples
  std::vector<double> baseline_ns;
  std::map<int, HalfPair> halves;
  for (const BlockSample& taken : block.samples) {
    const std::optional<double> ns = time_of(taken.sample);
    if (!ns) continue;
    const bool own = taken.role == PairRole::variant;
    const std::string why = why_dropped(taken.sample, *ns);
    kernel.taken += own ? 1 : 0;
    if (!why.empty()) {
      if (own && kernel.dropped++ == 0) kernel.first_drop = why;
      continue;
    }
    if (own) times.push_back(*ns);
    HalfPair& half = halves[taken.pair];
    (own ? half.variant_ns : half.baseline_ns) = *ns;
    (own ? own_ns : baseline_ns).push_back(*ns * static_cast<double>(taken.sample.launches));
  }
  const double own_tick = relative_tick(tick_ns, own_ns);
  kernel.tick = std::max(kernel.tick, own_tick);
  kernel.pair_tick = std::max(kernel.pair_tick, own_tick + relative_tick(tick_ns, baseline_ns));
  kernel.pairs.emplace_back();
  kernel.other_pairs.emplace_back();
  std::vector<SamplePair>& pairs = (block.opponent.empty() ? kernel.pairs : kernel.other_pairs).back();
  if (!block.paired) return;
  for (const auto& [number, half] : halves) {
    if (half.baseline_ns > 0 && half.variant_ns > 0) pairs.push_back({half.baseline_ns, half.variant_ns});
  }
}

}  // namespace

RunTime run_time_of(const std::vector<BlockRecord>& blocks, int schema) {
  if (schema < 2) return RunTime::kernels;
  for (const BlockRecord& block : blocks) {
    for (const BlockSample& taken : block.samples) {
      if (taken.sample.fault.empty() && taken.sample.span_ns <= 0) return RunTime::wall;
    }
  }
  return RunTime::span;
}

RunTime common_run_time(RunTime one, RunTime other) {
  return one == RunTime::wall || other == RunTime::wall ? RunTime::wall : one;
}

double time_in(const Sample& sample, const KernelTime& kernel, RunTime run_time) {
  if (kernel.kernel != "total" || run_time == RunTime::kernels) return kernel.ns;
  return run_time == RunTime::span ? sample.span_ns : sample.wall_ns;
}

std::optional<double> kernels_ns(const Sample& sample) {
  return sample.kernels.size() > 1 ? std::optional(sample.kernels.back().ns) : std::nullopt;
}

std::string why_dropped(const Sample& sample, double ns) {
  if (!sample.fault.empty()) return sample.fault;
  // A broken timer: what is shorter than its resolution counts as half a tick.
  if (!std::isfinite(ns) || ns <= 0) return fmt::format("a duration of {} ns", ns);
  return "";
}

std::optional<Summary> summary_of(const KernelSamples& samples, double confidence) {
  return summarise(samples.blocks, confidence, samples.tick);
}

std::optional<Speedup> speedup_of(const KernelSamples& samples, double confidence) {
  return paired_speedup(samples.pairs, confidence, samples.pair_tick);
}

std::vector<KernelSamples> collect_samples(const std::vector<BlockRecord>& blocks) {
  return collect_samples(blocks, run_time_of(blocks));
}

std::vector<KernelSamples> collect_samples(const std::vector<BlockRecord>& blocks, RunTime run_time) {
  std::vector<KernelSamples> kernels = find_kernels(blocks);
  for (KernelSamples& kernel : kernels) {
    const auto time_of = [&](const Sample& sample) -> std::optional<double> {
      for (const KernelTime& time : sample.kernels) {
        if (time.kernel == kernel.kernel) return time_in(sample, time, run_time);
      }
      return std::nullopt;
    };
    const bool by_host = kernel.kernel == "total" && run_time == RunTime::wall;
    for (const BlockRecord& block : blocks)
      add_block(kernel, block, by_host ? host_tick_ns(block) : block.tick_ns, time_of);
  }
  return kernels;
}

KernelSamples collect_wall_times(const std::vector<BlockRecord>& blocks) {
  KernelSamples wall;
  wall.kernel = "wall";
  const auto time_of = [](const Sample& sample) -> std::optional<double> { return sample.wall_ns; };
  for (const BlockRecord& block : blocks) add_block(wall, block, host_tick_ns(block), time_of);
  return wall;
}

bool is_paired_with_other(const KernelSamples& samples) {
  const auto is_used = [](const std::vector<SamplePair>& pairs) { return !pairs.empty(); };
  return std::ranges::count_if(samples.other_pairs, is_used) > std::ranges::count_if(samples.pairs, is_used);
}

std::optional<Speedup> speedup_over_baseline(const KernelSamples& samples, const KernelSamples* anchor,
                                             double confidence) {
  if (!is_paired_with_other(samples)) return speedup_of(samples, confidence);
  if (anchor == nullptr) return std::nullopt;
  return joined_speedup(anchor->pairs, samples.other_pairs, confidence,
                        anchor->pair_tick + samples.pair_tick);
}

std::optional<Speedup> speedup_over_baseline(const std::vector<BlockRecord>& blocks,
                                             const std::vector<BlockRecord>& anchor_blocks,
                                             double confidence) {
  const RunTime run_time = common_run_time(run_time_of(blocks), run_time_of(anchor_blocks));
  const std::vector<KernelSamples> kernels = collect_samples(blocks, run_time);
  const std::vector<KernelSamples> anchor = collect_samples(anchor_blocks, run_time);
  if (kernels.empty()) return std::nullopt;
  return speedup_over_baseline(kernels.back(), anchor.empty() ? nullptr : &anchor.back(), confidence);
}

}  // namespace dwarfsweep

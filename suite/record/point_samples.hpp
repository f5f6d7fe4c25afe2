// The samples of one point by kernel and block, as the statistics need them: without those that have a fault.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/statistics/statistics.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// By which time the whole runs of a point, "total", are taken. The kinds never meet in one ratio.
enum class RunTime {
  kernels,  ///< the sum of its kernels' times: in runs of schema 1
  span,     ///< from the first command to the last one, see Sample::span_ns
  wall,     ///< by the host's clock, where a sample of the point or of its baseline has no span
};

RunTime run_time_of(const std::vector<BlockRecord>& blocks, int schema = schema_version);
/// By which both can be taken.
RunTime common_run_time(RunTime one, RunTime other);

/// The time of the kernel, or of the whole execution for "total", in that sample.
double time_in(const Sample& sample, const KernelTime& kernel, RunTime run_time);

/// The sum of its kernels' times; nothing where they have no times of their own: in command buffers and on
/// the host.
std::optional<double> kernels_ns(const Sample& sample);

/// Why the sample's time of that kernel is left out of the statistics; empty where it is not.
std::string why_dropped(const Sample& sample, double ns);

struct KernelSamples {
  std::string kernel;
  std::vector<std::vector<double>> blocks;     ///< ns of the point itself, one entry per measurement block
  std::vector<std::vector<SamplePair>> pairs;  ///< with the baseline's, one entry per measurement block
  /// With the samples of another point in place of the baseline, the same way.
  std::vector<std::vector<SamplePair>> other_pairs;
  std::size_t taken = 0;  ///< number of samples of the point itself, including the dropped ones
  std::size_t dropped = 0;
  std::string first_drop;  ///< reason of the first one
  /// One tick of the timer over the time of a sample, which may be that of several executions: the largest of
  /// the blocks. 0 if the log does not record the timer's resolution.
  double tick = 0;
  double pair_tick = 0;  ///< the sum of the point's and that of what it is paired with
};

/// The intervals are no narrower than a tick of the timer allows.
std::optional<Summary> summary_of(const KernelSamples& samples, double confidence = default_confidence);
std::optional<Speedup> speedup_of(const KernelSamples& samples, double confidence = default_confidence);

/// In the order of their first appearance, "total" last. A kernel that only the baseline has is left out.
std::vector<KernelSamples> collect_samples(const std::vector<BlockRecord>& blocks, RunTime run_time);
std::vector<KernelSamples> collect_samples(const std::vector<BlockRecord>& blocks);

/// The wall time of whole runs.
KernelSamples collect_wall_times(const std::vector<BlockRecord>& blocks);

/// Most of its pairs are with another point than the baseline.
bool is_paired_with_other(const KernelSamples& samples);

/// The speedup over the baseline. If most of its pairs are with another point, it has two links: `anchor` has
/// the samples of the same kernel of that point, paired with the baseline; null if there are none that count.
std::optional<Speedup> speedup_over_baseline(const KernelSamples& samples, const KernelSamples* anchor,
                                             double confidence = default_confidence);
/// The same of whole runs, by their blocks.
std::optional<Speedup> speedup_over_baseline(const std::vector<BlockRecord>& blocks,
                                             const std::vector<BlockRecord>& anchor_blocks,
                                             double confidence = default_confidence);

}  // namespace dwarfsweep

// The samples of one point by kernel and block, as the statistics need them: without those that have a fault.
#pragma once

#include <string>
#include <vector>

#include "harness/statistics.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Why the sample's time of that kernel is left out of the statistics; empty where it is not.
std::string why_dropped(const Sample& sample, const KernelTime& time);

struct KernelSamples {
  std::string kernel;
  std::vector<std::vector<double>> blocks;     ///< ns of the point itself, one entry per measurement block
  std::vector<std::vector<SamplePair>> pairs;  ///< with the baseline's, one entry per measurement block
  std::size_t taken = 0;  ///< number of samples of the point itself, including the dropped ones
  std::size_t dropped = 0;
  std::string first_drop;  ///< reason of the first one

  [[nodiscard]] std::size_t pair_count() const;
};

/// In the order of their first appearance, "total" last. A kernel that only the baseline has is left out.
std::vector<KernelSamples> collect_samples(const std::vector<BlockRecord>& blocks);

}  // namespace dwarfsweep

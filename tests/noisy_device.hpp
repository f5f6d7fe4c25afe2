// Synthetic samples whose true speedup is known, with the kinds of noise that devices have.
#pragma once

#include <cmath>
#include <vector>

#include "harness/statistics/random.hpp"
#include "harness/statistics/statistics.hpp"

namespace dwarfsweep::test {

inline constexpr int pairs_per_block = 5;

enum class Trace { independent, drifting, bimodal, skewed };
inline const char* name_of(Trace trace) {
  switch (trace) {
    case Trace::independent:
      return "independent noise of 5 %";
    case Trace::drifting:
      return "correlation 0.85 inside blocks, drift of 10 % between them";
    case Trace::bimodal:
      return "two clock frequencies that affect both kernels equally";
    case Trace::skewed:
      break;
  }
  return "two clock frequencies that affect the variant less";
}

/// A device with noise. Its state does not change between blocks, but for the drift.
class NoisyDevice {
 public:
  NoisyDevice(Trace trace, std::uint64_t seed) : trace_(trace), random_(seed) {}

  void begin_block() {
    if (trace_ == Trace::drifting) level_ += 0.1 * random_.normal();
    state_ = random_.normal();
    slow_ = random_.uniform01() < 0.3;
  }

  /// Ends the drift, which is a random walk: the blocks of an unpaired run spread around one level.
  void reset_drift() { level_ = 0.0; }

  /// The next sample in time. `following` is the factor by which this kernel is slower at the low frequency.
  double sample(double time_ns, double following) {
    const double shock = random_.normal();
    if (trace_ == Trace::independent) return time_ns * std::exp(0.05 * shock);
    if (trace_ == Trace::drifting) {
      state_ = 0.85 * state_ + std::sqrt(1.0 - 0.85 * 0.85) * shock;
      return time_ns * std::exp(level_ + 0.05 * state_);
    }
    // Slow for 30 % of the samples in the long run, and for seven samples in a row on average.
    slow_ = slow_ ? random_.uniform01() >= 0.14 : random_.uniform01() < 0.06;
    return time_ns * (slow_ ? following : 1.0) * std::exp(0.01 * shock);
  }

  std::vector<SamplePair> paired_block(double true_ratio) {
    begin_block();
    std::vector<SamplePair> pairs;
    const double variant_follows = trace_ == Trace::skewed ? 1.15 : 1.4;
    for (int i = 0; i < pairs_per_block; ++i) {
      SamplePair pair{};
      const bool baseline_first = random_.below(2) == 0;
      if (baseline_first) pair.baseline_ns = sample(1000.0 * true_ratio, 1.4);
      pair.variant_ns = sample(1000.0, variant_follows);
      if (!baseline_first) pair.baseline_ns = sample(1000.0 * true_ratio, 1.4);
      pairs.push_back(pair);
    }
    return pairs;
  }

  std::vector<double> block(double time_ns) {
    reset_drift();
    begin_block();
    std::vector<double> samples;
    for (int i = 0; i < pairs_per_block; ++i) samples.push_back(sample(time_ns, 1.4));
    return samples;
  }

 private:
  Trace trace_;
  Random random_;
  double level_ = 0.0;
  double state_ = 0.0;
  bool slow_ = false;
};

/// Does the interval contain `truth`?
inline bool contains_truth(const Speedup& speedup, double truth) {
  return speedup.low <= truth && truth <= speedup.high;
}

inline std::vector<std::vector<SamplePair>> paired_blocks(NoisyDevice& device, std::size_t count,
                                                          double true_ratio) {
  std::vector<std::vector<SamplePair>> blocks;
  while (blocks.size() < count) blocks.push_back(device.paired_block(true_ratio));
  return blocks;
}

inline std::vector<std::vector<double>> blocks_of(NoisyDevice& device, std::size_t count, double time_ns) {
  std::vector<std::vector<double>> blocks;
  while (blocks.size() < count) blocks.push_back(device.block(time_ns));
  return blocks;
}

}  // namespace dwarfsweep::test

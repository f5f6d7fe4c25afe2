// Do the intervals achieve nominal coverage? Thousands of synthetic traces whose true speedup is known.
//
// Required is a coverage of 92 to 98 % for a nominal 95 %. With 4,000 trials and a true coverage of 95 % the
// observed coverage has a standard deviation of 0.0034, so that the required bounds lie eight deviations away
// on either side and need no further margin. A construction with a true coverage of 90.6 % would pass once in
// 700 times.
#include "harness/statistics/statistics.hpp"
#include "tests/catch.hpp"
#include "tests/noisy_device.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

namespace {

constexpr int trials = 4000;
// A joined interval resamples: with these the observed coverage has a standard deviation of 0.006, and the
// constructions cover 0.938 to 0.972, so that the bounds lie three away on the side of 0.92. The seeds are
// fixed.
constexpr int joined_trials = 1500;
constexpr double required_low = 0.92;
constexpr double required_high = 0.98;

/// The estimate from very many blocks. Only the skewed trace needs it: the others are symmetric.
double true_speedup(Trace trace, double true_ratio) {
  if (trace != Trace::skewed) return true_ratio;
  NoisyDevice device(trace, 99);
  std::vector<std::vector<SamplePair>> blocks;
  for (int i = 0; i < 100000; ++i) blocks.push_back(device.paired_block(true_ratio));
  return paired_speedup(blocks)->ratio;
}

}  // namespace

TEST_CASE("The interval of a paired speedup achieves nominal coverage", "[statistics]") {
  for (const Trace trace : {Trace::independent, Trace::drifting, Trace::bimodal, Trace::skewed}) {
    const double truth = true_speedup(trace, 1.25);
    for (const std::size_t count : {3, 5, 8, 20}) {
      NoisyDevice device(trace, 1000 + count);
      int covered = 0;
      for (int trial = 0; trial < trials; ++trial) {
        covered += contains_truth(*paired_speedup(paired_blocks(device, count, 1.25)), truth);
      }
      const double coverage = covered / double{trials};
      INFO(name_of(trace) << ", " << count << " blocks: coverage " << coverage);
      CHECK(coverage >= required_low);
      CHECK(coverage <= required_high);
    }
  }
}

TEST_CASE("The baseline against itself is within noise in at least 93 % of trials", "[statistics]") {
  for (const Trace trace : {Trace::independent, Trace::drifting, Trace::bimodal}) {
    for (const std::size_t count : {3, 5, 8, 20}) {
      NoisyDevice device(trace, 2000 + count);
      int within_noise = 0;
      for (int trial = 0; trial < trials; ++trial) {
        within_noise += paired_speedup(paired_blocks(device, count, 1.0))->verdict == Verdict::within_noise;
      }
      INFO(name_of(trace) << ", " << count << " blocks: " << within_noise << " of " << trials);
      CHECK(within_noise >= 0.93 * trials);
    }
  }
}

// The stopping rule of --publish, and a sweep of few blocks, on a kernel that is 3 % slower than its
// baseline.
TEST_CASE("A slowdown of 3 % is found when publishing, and is within noise in a quick run", "[statistics]") {
  constexpr double truth = 1 / 1.03;
  for (const Trace trace : {Trace::independent, Trace::drifting, Trace::bimodal}) {
    const StoppingRule publishing{.target_half_width = 0.01, .min_blocks = 20, .max_blocks = 100};
    NoisyDevice device(trace, 6000);
    int found = 0;
    int quick_covers = 0;
    int quick_faster = 0;
    int quick_slower = 0;
    for (int trial = 0; trial < trials; ++trial) {
      auto blocks = paired_blocks(device, 3, truth);
      const Speedup quick = paired_speedup(blocks).value();
      quick_covers += contains_truth(quick, truth);
      quick_faster += quick.verdict == Verdict::faster;
      quick_slower += quick.verdict == Verdict::slower;
      while (blocks.size() < publishing.min_blocks) blocks.push_back(device.paired_block(truth));
      const auto half_width = [&] {
        return relative_half_width(paired_speedup(blocks, sequential_confidence).value());
      };
      while (publishing.judge(blocks.size(), half_width()) == StopReason::not_stopped) {
        blocks.push_back(device.paired_block(truth));
      }
      found += paired_speedup(blocks)->verdict == Verdict::slower;
    }
    INFO(name_of(trace) << ", of " << trials << ": published as slower " << found << "; quick as slower "
                        << quick_slower << ", as faster " << quick_faster << ", true ratio covered "
                        << quick_covers);
    CHECK(found >= 0.95 * trials);
    // A quick run must not claim the opposite: an interval of 95 % misses on this side in one of forty
    // trials.
    CHECK(quick_faster <= (1 - required_low) / 2 * trials);
    CHECK(quick_covers >= required_low * trials);
    CHECK(quick_covers <= required_high * trials);
    if (trace != Trace::bimodal) CHECK(quick_slower < trials / 2);
  }
}

// The blocks of both links are taken in turn, as in the rounds of a sweep: the drift goes through both.
TEST_CASE("The interval of a speedup joined from two links achieves nominal coverage", "[statistics]") {
  struct Case {
    std::size_t anchor_blocks, variant_blocks;
  };
  constexpr double baseline_over_anchor = 50;
  constexpr double anchor_over_variant = 1.25;
  for (const Trace trace : {Trace::independent, Trace::drifting, Trace::bimodal, Trace::skewed}) {
    const double truth = true_speedup(trace, baseline_over_anchor) * true_speedup(trace, anchor_over_variant);
    for (const Case& c : {Case{3, 3}, Case{3, 8}, Case{8, 3}, Case{5, 5}, Case{5, 20}, Case{20, 20}}) {
      NoisyDevice device(trace, 7000 + c.anchor_blocks + 100 * c.variant_blocks);
      int covered = 0;
      for (int trial = 0; trial < joined_trials; ++trial) {
        std::vector<std::vector<SamplePair>> anchor, variant;
        for (std::size_t i = 0; i < std::max(c.anchor_blocks, c.variant_blocks); ++i) {
          if (i < c.anchor_blocks) anchor.push_back(device.paired_block(baseline_over_anchor));
          if (i < c.variant_blocks) variant.push_back(device.paired_block(anchor_over_variant));
        }
        covered += contains_truth(joined_speedup(anchor, variant).value(), truth);
      }
      const double coverage = covered / double{joined_trials};
      INFO(name_of(trace) << ", " << c.anchor_blocks << " and " << c.variant_blocks
                          << " blocks: " << coverage);
      CHECK(coverage >= required_low);
      CHECK(coverage <= required_high);
    }
  }
}

TEST_CASE("The interval of a summary achieves nominal coverage", "[statistics]") {
  for (const Trace trace : {Trace::independent, Trace::drifting, Trace::bimodal}) {
    NoisyDevice reference(trace, 98);
    const double truth = summarise(blocks_of(reference, 100000, 1000.0))->median;
    // With two frequencies the median of all samples is not the median of the blocks' medians.
    std::vector<double> medians;
    for (const auto& block : blocks_of(reference, 100000, 1000.0)) medians.push_back(median(block));
    const double truth_of_blocks = trace == Trace::bimodal ? median(medians) : truth;
    for (const std::size_t count : {3, 5, 8, 20}) {
      NoisyDevice device(trace, 3000 + count);
      int covered = 0;
      for (int trial = 0; trial < trials; ++trial) {
        const Summary summary = summarise(blocks_of(device, count, 1000.0)).value();
        covered += summary.ci_low <= truth_of_blocks && truth_of_blocks <= summary.ci_high;
      }
      const double coverage = covered / double{trials};
      INFO(name_of(trace) << ", " << count << " blocks: coverage " << coverage);
      CHECK(coverage >= required_low);
      CHECK(coverage <= required_high);
    }
  }
}

TEST_CASE("The interval for the difference of two runs' medians achieves nominal coverage", "[statistics]") {
  struct Case {
    std::size_t old_blocks, new_blocks;
  };
  const auto log_medians = [](const std::vector<std::vector<double>>& blocks) {
    std::vector<double> logs;
    for (const std::vector<double>& block : blocks) logs.push_back(std::log(median(block)));
    return logs;
  };
  for (const Trace trace : {Trace::independent, Trace::drifting, Trace::bimodal}) {
    for (const Case& c : {Case{3, 3}, Case{3, 8}, Case{5, 5}, Case{5, 20}, Case{8, 8}, Case{20, 20}}) {
      NoisyDevice device(trace, 4000 + c.old_blocks + 100 * c.new_blocks);
      int covered = 0;
      for (int trial = 0; trial < trials; ++trial) {
        const auto old_run = log_medians(blocks_of(device, c.old_blocks, 1250.0));
        const auto new_run = log_medians(blocks_of(device, c.new_blocks, 1000.0));
        const Interval interval = median_difference_interval(old_run, new_run);
        covered += interval.low <= std::log(1.25) && std::log(1.25) <= interval.high;
      }
      const double coverage = covered / double{trials};
      INFO(name_of(trace) << ", " << c.old_blocks << " against " << c.new_blocks << " blocks: " << coverage);
      CHECK(coverage >= required_low);
      // With two frequencies, few blocks differ more than the uncertainty of their median: up to 99.8 %.
      if (trace != Trace::bimodal) CHECK(coverage <= required_high);
    }
  }
}

TEST_CASE("An interval whose width decides when to stop achieves nominal coverage", "[statistics]") {
  struct Case {
    Trace trace;
    double target_half_width;
  };
  // Widths that most trials reach between the minimum and the maximum of blocks, where stopping early biases
  // most.
  for (const Case& c :
       {Case{Trace::independent, 0.02}, Case{Trace::drifting, 0.01}, Case{Trace::bimodal, 0.005}}) {
    const StoppingRule rule{.target_half_width = c.target_half_width};
    NoisyDevice device(c.trace, 5000);
    int covered = 0;
    int converged = 0;
    for (int trial = 0; trial < trials; ++trial) {
      auto blocks = paired_blocks(device, rule.min_blocks, 1.25);
      Speedup speedup = paired_speedup(blocks, sequential_confidence).value();
      while (rule.judge(blocks.size(), relative_half_width(speedup)) == StopReason::not_stopped) {
        blocks.push_back(device.paired_block(1.25));
        speedup = paired_speedup(blocks, sequential_confidence).value();
      }
      covered += contains_truth(speedup, 1.25);
      converged += rule.satisfied(blocks.size(), relative_half_width(speedup));
    }
    INFO(name_of(c.trace) << ": coverage " << covered / double{trials} << ", " << converged << " converged");
    CHECK(converged > trials / 2);
    CHECK(covered >= required_low * trials);
    CHECK(covered <= required_high * trials);
  }
}

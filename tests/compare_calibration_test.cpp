// compare on runs in which nothing differs, or one point does: false alarms, and what is found.
#include <fmt/format.h>

#include "suite/plan/options.hpp"
#include "tests/catch.hpp"
#include "tests/noisy_runs.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

namespace {

struct Outcome {
  int alarms = 0;  // comparisons with any point slower
  int found = 0;   // ...in which the planted point is
  double inflation = 0;
};

// Comparisons of two runs; with a plant, of a point of median noise that became slower by that factor.
Outcome compare_often(int times, std::size_t points, std::size_t blocks, double threshold, double planted,
                      std::uint64_t seed, NoiseOfRuns noise = {}) {
  Outcome outcome;
  Random random(seed);
  for (int i = 0; i < times; ++i) {
    std::vector<double> scales = drawn_scales(noise, points, random);
    scales[points / 2] = noise.scale;
    const auto before = noisy_run(noise, scales, blocks, 20, random);
    auto after = noisy_run(noise, scales, blocks, 20, random);
    for (double& log : after[points / 2]) log += std::log(planted);
    const std::vector<BlockLogs> logs = compared_logs(before, after);
    outcome.inflation += logs.front().inflation_before / times;
    const Decision decision = decide(logs, threshold, true);
    bool alarm = false;
    for (const Speedup& ratio : decision.ratios) alarm |= judge(ratio, threshold) == Change::slower;
    outcome.alarms += alarm ? 1 : 0;
    outcome.found += judge(decision.ratios[points / 2], threshold) == Change::slower ? 1 : 0;
  }
  return outcome;
}

void print(const char* what, const Outcome& outcome, int times) {
  fmt::print("{}: {} alarms, {} found of {}; variance inflated by {:.2f}\n", what, outcome.alarms,
             outcome.found, times, outcome.inflation);
}

}  // namespace

TEST_CASE("identical runs raise no alarm, and a planted 10 % is found", "[unit][compare]") {
  const Outcome same = compare_often(30, 300, ci_blocks, 0, 1, 1);
  print("identical", same, 30);
  CHECK(same.alarms <= 1);
  const Outcome planted = compare_often(40, 60, ci_blocks, 0.05, 1.1, 2);
  print("planted", planted, 40);
  CHECK(planted.found >= 36);
  CHECK(planted.alarms == planted.found);
}

TEST_CASE("a thousand comparisons of three hundred points", "[compare][long]") {
  const Outcome same = compare_often(1000, 300, ci_blocks, 0, 1, 3);
  print("identical, no threshold", same, 1000);
  CHECK(same.alarms <= 5);
  const Outcome threshold = compare_often(1000, 300, ci_blocks, 0.05, 1, 4);
  print("identical, threshold 5 %", threshold, 1000);
  CHECK(threshold.alarms <= 5);
  const Outcome planted = compare_often(100, 300, ci_blocks, 0.05, 1.1, 5);
  print("planted 10 %, threshold 5 %", planted, 100);
  CHECK(planted.found >= 95);
}

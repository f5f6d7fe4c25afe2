#include "harness/run/self_test.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/device/clock.hpp"
#include "harness/run/spin.hpp"
#include "harness/statistics/quantile.hpp"

namespace dwarfsweep {
namespace {

constexpr int block_count = 20;
constexpr int pairs = 5;
constexpr double target_ns =
    1e6;  // of one spin: long against launches, short against a scheduler's time slice

Sample spin_sample(Launcher& launcher, Spinner& spinner, const SpinWork& work) {
  Sample sample;
  launcher.finish();
  launcher.begin();
  sample.host_begin_ns = now_ns();
  spinner.launch(launcher, work);
  launcher.finish();
  sample.host_end_ns = now_ns();
  sample.wall_ns = static_cast<double>(sample.host_end_ns - sample.host_begin_ns);
  launcher.collect(sample);
  return sample;
}

double typical_ns(Launcher& launcher, Spinner& spinner, const SpinWork& work) {
  std::vector<double> times;
  for (int i = 0; i < pairs; ++i) times.push_back(run_ns(spin_sample(launcher, spinner, work)));
  return std::max(1.0, median(times));
}

}  // namespace

SelfTestReport test_harness(Session& session, const TimerReport& timer) {
  SelfTestReport report;
  report.timer = timer;
  report.launch_ns = timer.launch_ns;
  Launcher launcher(session);
  Spinner spinner(session);
  const SpinWork work = spinner.calibrated(launcher, target_ns);
  report.linearity =
      typical_ns(launcher, spinner, work.tenfold()) / (10 * typical_ns(launcher, spinner, work));

  std::vector<std::vector<SamplePair>> blocks;
  std::vector<double> shares;
  const std::int64_t begin = now_ns();
  double inside_ns = 0;
  for (int number = 0; number < block_count; ++number) {
    std::vector<SamplePair>& block = blocks.emplace_back();
    for (int pair = 0; pair < pairs; ++pair) {
      const Sample first = spin_sample(launcher, spinner, work);
      const Sample second = spin_sample(launcher, spinner, work);
      block.push_back({std::max(1.0, run_ns(first)), std::max(1.0, run_ns(second))});
      shares.push_back(second.kernels.back().ns / second.wall_ns);
      inside_ns += first.wall_ns + second.wall_ns;
    }
  }
  report.harness_ns = (static_cast<double>(now_ns() - begin) - inside_ns) / (2.0 * block_count * pairs);
  report.event_share = median(shares);
  const auto speedup = paired_speedup(blocks);
  report.self_comparison = speedup->ratio;
  report.half_width = relative_half_width(*speedup);
  report.trusted_to_one_percent = report.half_width <= 0.01 && speedup->verdict == Verdict::within_noise &&
                                  std::abs(report.linearity - 1) <= 0.1;
  return report;
}

}  // namespace dwarfsweep

#include "harness/run/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "harness/device/host.hpp"
#include "harness/device/opencl.hpp"
#include "harness/run/workspace.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t max_items = std::size_t{1} << 20U;
constexpr cl_uint max_loops = 6000;

}  // namespace

Spinner::Spinner(Session& session)
    : workspace_(session),
      out_(workspace_.allocate<cl_uint>("spin", max_items, Role::scratch)),
      spin_(workspace_.kernel("selftest", Macros(), "spin", "spin")) {}

void Spinner::launch(Launcher& launcher, const SpinWork& work) {
  launcher.run(spin_, work.items, 1, out_, work.loops);
}

double Spinner::host_ns(Launcher& launcher, const SpinWork& work) {
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    launcher.finish();
    const std::int64_t begin = now_ns();
    launch(launcher, work);
    launcher.finish();
    times.push_back(static_cast<double>(now_ns() - begin));
  }
  return median(times);
}

SpinWork Spinner::calibrated(Launcher& launcher, double target_ns) {
  SpinWork work;
  while (host_ns(launcher, work) < target_ns) {
    if (work.loops < max_loops) {
      work.loops = std::min(2 * work.loops, max_loops);
    } else if (work.items < max_items) {
      work.items *= 2;
    } else {
      break;
    }
  }
  return work;
}

namespace {

constexpr int readings = 5;

// What else runs on the machine only makes it longer.
double shortest_duration(const std::vector<TimerReading>& list) {
  std::int64_t shortest = list.front().end_ns - list.front().start_ns;
  for (const TimerReading& reading : list) shortest = std::min(shortest, reading.end_ns - reading.start_ns);
  return static_cast<double>(shortest);
}

std::string impossible(const TimerReading& reading, std::int64_t tick_ns) {
  // Four small integers in a row are a counter of calls, not of time (rusticl on llvmpipe gives 0, 1, 2, 3).
  if (std::max({reading.queued_ns, reading.submit_ns, reading.start_ns, reading.end_ns}) < 1000) {
    return "the four timestamps are small integers, not times";
  }
  if (reading.end_ns < reading.start_ns) return "END lies before START";
  if (static_cast<double>(reading.end_ns - reading.start_ns) >
      max_device_ns(static_cast<double>(reading.host_ns), tick_ns)) {
    return fmt::format("a kernel of {} ns ran within {} ns of the host's time",
                       reading.end_ns - reading.start_ns, reading.host_ns);
  }
  return {};
}

TimerReading read_spin(Session& session, Launcher& launcher, Spinner& spinner, const SpinWork& work) {
  TimerReading reading;
  Sample sample;
  launcher.finish();
  launcher.begin();
  const std::int64_t begin = now_ns();
  spinner.launch(launcher, work);
  session.queue().finish();
  reading.host_ns = now_ns() - begin;
  launcher.collect(sample);
  const KernelTime& time = sample.kernels.back();
  reading.queued_ns = time.queued_ns;
  reading.submit_ns = time.submit_ns;
  reading.start_ns = time.start_ns;
  reading.end_ns = time.end_ns;
  return reading;
}

// Kernels of different lengths, a fill and a transfer, enqueued without waiting.
std::string test_order(Session& session, Launcher& launcher, Spinner& spinner, const SpinWork& work,
                       std::int64_t tick_ns) {
  Workspace workspace(session);
  const auto buffer = workspace.allocate<cl_uint>("order test", 1024, Role::scratch);
  std::vector<cl_uint> host(buffer.count);
  for (int i = 0; i < readings; ++i) {
    launcher.finish();
    launcher.begin();
    const std::int64_t begin = now_ns();
    for (int kernel = 0; kernel < 4; ++kernel) {
      spinner.launch(launcher, kernel % 2 == 0 ? work : work.tenfold());
      launcher.fill<cl_uint>(buffer, 1);
    }
    launcher.read(buffer, host.data(), host.size());
    launcher.finish();
    const std::int64_t host_ns = now_ns() - begin;
    if (std::string reason = judge_order(launcher.event_times(), host_ns, tick_ns); !reason.empty())
      return reason;
  }
  return {};
}

double empty_launch_ns(Session& session, Kernel& empty, const Buffer<cl_uint>& out) {
  empty.kernel.setArg(0, out.buffer);
  std::vector<double> times;
  for (int i = 0; i < 4 * readings; ++i) {
    const std::int64_t begin = now_ns();
    session.queue().enqueueNDRangeKernel(empty.kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
    session.queue().finish();
    times.push_back(static_cast<double>(now_ns() - begin));
  }
  return median(times);
}

}  // namespace

std::string judge_timer(const std::vector<TimerReading>& once, const std::vector<TimerReading>& tenfold,
                        std::int64_t tick_ns) {
  for (const auto* list : {&once, &tenfold}) {
    for (const TimerReading& reading : *list) {
      if (std::string reason = impossible(reading, tick_ns); !reason.empty()) return reason;
    }
  }
  const double short_ns = shortest_duration(once);
  const double long_ns = shortest_duration(tenfold);
  if (short_ns <= 0) return "the timer reports no time for a kernel that does work";
  // 5 to 20 times: a launch has a fixed part, and a shared machine is noisy.
  if (const double scaling = long_ns / short_ns; scaling < 5 || scaling > 20) {
    return fmt::format("ten times the work took {:.2f} times as long", scaling);
  }
  return {};
}

std::int64_t timer_tick(const std::vector<TimerReading>& list, std::int64_t stated_ns) {
  constexpr std::size_t enough = 8;  // with 15 random differences a step is doubled by chance once in 2^15
  if (list.size() < enough) return stated_ns;
  const double shortest_ns = shortest_duration(list);
  std::int64_t step = 0;
  for (const TimerReading& reading : list) {
    step = std::gcd(step, reading.start_ns - list.front().start_ns);
    step = std::gcd(step, reading.end_ns - reading.start_ns);
  }
  // Launches that all took the same time show no step of the timer.
  const bool is_step = step > 1 && 10 * static_cast<double>(step) <= shortest_ns;
  return is_step ? step : stated_ns;
}

TimerJudgement judge_timer(const std::function<TimerReading(bool tenfold)>& read, std::int64_t tick_ns) {
  constexpr std::size_t max_readings = 4 * readings;
  std::vector<TimerReading> once;
  std::vector<TimerReading> tenfold;
  TimerJudgement judgement;
  do {
    for (int i = 0; i < readings; ++i) {
      once.push_back(read(false));
      tenfold.push_back(read(true));
    }
    judgement.reason = judge_timer(once, tenfold, tick_ns);
  } while (!judgement.reason.empty() && once.size() < max_readings);
  if (judgement.reason.empty()) judgement.scaling = shortest_duration(tenfold) / shortest_duration(once);
  return judgement;
}

std::string judge_order(const std::vector<EventTimes>& commands, std::int64_t host_ns, std::int64_t tick_ns) {
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (commands[i].start_ns <= 0 || commands[i].end_ns < commands[i].start_ns) {
      return fmt::format("START {} and END {} of a command cannot be true", commands[i].start_ns,
                         commands[i].end_ns);
    }
    if (i > 0 && commands[i].start_ns + tick_ns < commands[i - 1].end_ns) {
      return fmt::format("a command started {} ns before the one ahead of it in the queue had ended",
                         commands[i - 1].end_ns - commands[i].start_ns);
    }
  }
  if (commands.empty()) return {};
  const std::int64_t span_ns = commands.back().end_ns - commands.front().start_ns;
  if (static_cast<double>(span_ns) > max_device_ns(static_cast<double>(host_ns), tick_ns)) {
    return fmt::format(
        "commands took {} ns from the first START to the last END, within {} ns of the host's time", span_ns,
        host_ns);
  }
  return {};
}

TimerReport test_timer(Session& session) {
  TimerReport report;
  report.tick_ns = std::max<std::int64_t>(1, static_cast<std::int64_t>(session.device().timer_resolution_ns));
  // It is what is tested, also where an earlier test refused it.
  session.set_timing({Timer::device, false, report.tick_ns});
  try {
    Workspace workspace(session);
    const auto out = workspace.allocate<cl_uint>("empty launch", 1, Role::scratch);
    Kernel empty = workspace.kernel("selftest", Macros(), "empty", "empty");
    report.launch_ns = empty_launch_ns(session, empty, out);
    Launcher launcher(session);
    Spinner spinner(session);
    // Enough work to make the fixed cost of a launch negligible.
    const SpinWork work = spinner.calibrated(launcher, 10 * report.launch_ns + 2e5);
    std::vector<TimerReading> taken;
    const TimerJudgement judgement = judge_timer(
        [&](bool tenfold) {
          taken.push_back(read_spin(session, launcher, spinner, tenfold ? work.tenfold() : work));
          return taken.back();
        },
        report.tick_ns);
    report.reason = judgement.reason;
    if (report.reason.empty()) report.tick_ns = timer_tick(taken, report.tick_ns);
    report.scaling = judgement.scaling;
    if (report.reason.empty())
      report.span_reason = test_order(session, launcher, spinner, work, session.timing().tick_ns);
  } catch (const cl::Error& error) {
    report.reason = "a profiling query failed: " + describe(error);
  }
  report.timer = report.reason.empty() ? Timer::device : Timer::host;
  report.spans = report.timer == Timer::device && report.span_reason.empty();
  session.set_timing(report.timing());
  return report;
}

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

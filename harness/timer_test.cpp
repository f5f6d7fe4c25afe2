#include "harness/timer_test.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cl_error.hpp"
#include "harness/clock.hpp"
#include "harness/quantile.hpp"
#include "harness/spin.hpp"
#include "harness/status.hpp"
#include "harness/workspace.hpp"

namespace dwarfsweep {
namespace {

constexpr int readings = 5;

double median_duration(const std::vector<TimerReading>& list) {
  std::vector<double> durations;
  for (const TimerReading& reading : list)
    durations.push_back(static_cast<double>(reading.end_ns - reading.start_ns));
  return median(durations);
}

std::string impossible(const TimerReading& reading, std::int64_t tick_ns) {
  // Four small integers in a row are a counter of calls, not of time (rusticl on llvmpipe gives 0, 1, 2, 3).
  if (std::max({reading.queued_ns, reading.submit_ns, reading.start_ns, reading.end_ns}) < 1000) {
    return "the four timestamps are small integers, not times";
  }
  if (reading.end_ns < reading.start_ns) return "END lies before START";
  if (reading.end_ns - reading.start_ns > reading.host_ns + tick_ns) {
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
  const double short_ns = median_duration(once);
  const double long_ns = median_duration(tenfold);
  if (short_ns <= 0) return "the timer reports no time for a kernel that does work";
  // 5 to 20 times: a launch has a fixed part, and a shared machine is noisy.
  if (const double scaling = long_ns / short_ns; scaling < 5 || scaling > 20) {
    return fmt::format("ten times the work took {:.2f} times as long", scaling);
  }
  return {};
}

TimerReport test_timer(Session& session) {
  TimerReport report;
  session.set_timer(Timer::device);  // it is what is tested, also where an earlier test refused it
  report.tick_ns = std::max<std::int64_t>(1, static_cast<std::int64_t>(session.device().timer_resolution_ns));
  try {
    Workspace workspace(session);
    const auto out = workspace.allocate<cl_uint>("empty launch", 1, Role::scratch);
    Kernel empty = workspace.kernel("selftest", Macros(), "empty", "empty");
    report.launch_ns = empty_launch_ns(session, empty, out);
    Launcher launcher(session);
    Spinner spinner(session);
    // So much work that the fixed cost of a launch vanishes beside it.
    const SpinWork work = spinner.calibrated(launcher, 10 * report.launch_ns + 2e5);
    std::vector<TimerReading> once;
    std::vector<TimerReading> tenfold;
    for (int i = 0; i < readings; ++i) {
      once.push_back(read_spin(session, launcher, spinner, work));
      tenfold.push_back(read_spin(session, launcher, spinner, work.tenfold()));
    }
    report.reason = judge_timer(once, tenfold, report.tick_ns);
    if (report.reason.empty()) report.scaling = median_duration(tenfold) / median_duration(once);
  } catch (const cl::Error& error) {
    report.reason = "a profiling query failed: " + describe(error);
  }
  report.timer = report.reason.empty() ? Timer::device : Timer::host;
  session.set_timer(report.timer);
  return report;
}

}  // namespace dwarfsweep

#include "harness/timer_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "harness/cl_error.hpp"
#include "harness/status.hpp"
#include "harness/workspace.hpp"

namespace dwarfsweep {
namespace {

constexpr int readings = 5;

std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

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

TimerReading read_spin(Session& session, Kernel& spin, const Buffer<cl_uint>& out, cl_uint loops) {
  spin.kernel.setArg(0, out.buffer);
  spin.kernel.setArg(1, loops);
  cl::Event event;
  const std::int64_t begin = now_ns();
  session.queue().enqueueNDRangeKernel(spin.kernel, cl::NullRange, cl::NDRange(out.count), cl::NDRange(1),
                                       nullptr, &event);
  session.queue().finish();
  TimerReading reading;
  reading.host_ns = now_ns() - begin;
  reading.queued_ns = static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>());
  reading.submit_ns = static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_SUBMIT>());
  reading.start_ns = static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
  reading.end_ns = static_cast<std::int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>());
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
  report.tick_ns = std::max<std::int64_t>(1, static_cast<std::int64_t>(session.device().timer_resolution_ns));
  Workspace workspace(session);
  const auto out = workspace.allocate<cl_uint>("timer test", 64, Role::scratch);
  Kernel spin = workspace.kernel("selftest", "", "spin", "spin");
  Kernel empty = workspace.kernel("selftest", "", "empty", "empty");
  try {
    report.launch_ns = empty_launch_ns(session, empty, out);
    read_spin(session, spin, out, 100);  // what compiles at the first launch compiles now
    // Enough work that a launch's fixed cost vanishes: doubled until one takes 200 us of the host's time
    // above it.
    cl_uint loops = 1000;
    while (static_cast<double>(read_spin(session, spin, out, loops).host_ns) < report.launch_ns + 2e5 &&
           loops < 6000) {
      loops *= 2;
    }
    std::vector<TimerReading> once;
    std::vector<TimerReading> tenfold;
    for (int i = 0; i < readings; ++i) {
      once.push_back(read_spin(session, spin, out, loops));
      tenfold.push_back(read_spin(session, spin, out, 10 * loops));
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

// Is the profiling timer of a device valid? Tested once per session, before anything else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/session.hpp"

namespace dwarfsweep {

/// The four timestamps of one event of the test, with the host's time around it.
struct TimerReading {
  std::int64_t queued_ns = 0;
  std::int64_t submit_ns = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t host_ns = 0;
};

struct TimerReport {
  Timer timer = Timer::device;
  std::string reason;        ///< why the host's clock is used; empty: the device's timer passed
  std::int64_t tick_ns = 1;  ///< smallest step seen or stated
  double launch_ns = 0;      ///< median host time of an empty launch with a finish
  double scaling = 0;        ///< time of ten times the work over the time of the work
};

/// The judgement alone, so that it can be tested with readings of faulty drivers: `once` are launches of some
/// work, `tenfold` of ten times as much. Returns the reason for mistrust, empty for none.
std::string judge_timer(const std::vector<TimerReading>& once, const std::vector<TimerReading>& tenfold,
                        std::int64_t tick_ns);

/// Runs the test on the device and sets the session's timer accordingly.
TimerReport test_timer(Session& session);

}  // namespace dwarfsweep

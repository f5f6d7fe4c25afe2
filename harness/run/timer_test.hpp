// Is the profiling timer of a device valid? Tested once per session, before anything else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/run/launcher.hpp"
#include "harness/run/session.hpp"

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
  bool spans = false;        ///< whole runs are timed from event to event; false: by the host's clock
  std::string span_reason;   ///< why they are not; empty: they are, or nothing is timed by the device
  std::int64_t tick_ns = 1;  ///< smallest step seen or stated
  double launch_ns = 0;      ///< median host time of an empty launch with a finish
  double scaling = 0;        ///< time of ten times the work over the time of the work

  [[nodiscard]] Timing timing() const { return {timer, spans, tick_ns}; }
};

/// The judgement alone, so that it can be tested with readings of faulty drivers: `once` are launches of some
/// work, `tenfold` of ten times as much. Returns the reason for mistrust, empty for none.
std::string judge_timer(const std::vector<TimerReading>& once, const std::vector<TimerReading>& tenfold,
                        std::int64_t tick_ns);

struct TimerJudgement {
  std::string reason;  ///< as of judge_timer
  double scaling = 0;  ///< of a timer that passed
};

/// The same of readings as they are taken: five launches of the work and of ten times as much, in turn, and
/// up to four times as many where those are judged bad, for a busy machine may have disturbed all of one
/// kind. An impossible reading stays impossible.
TimerJudgement judge_timer(const std::function<TimerReading(bool tenfold)>& read, std::int64_t tick_ns);

/// The same for times from one event to another: `commands` are those of one in-order queue, during which the
/// host waited `host_ns`. Each must start no earlier than the one before it ends, and all of them take no
/// longer than the host waited.
std::string judge_order(const std::vector<EventTimes>& commands, std::int64_t host_ns, std::int64_t tick_ns);

/// Runs the test on the device and sets the session's timing accordingly.
TimerReport test_timer(Session& session);

}  // namespace dwarfsweep

// The harness measured: how far can timings on this machine be trusted?
#pragma once

#include <string>

#include "harness/run/timer_test.hpp"
#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {

struct SelfTestReport {
  TimerReport timer;
  double launch_ns = 0;        ///< an empty launch with a finish, host time
  double linearity = 0;        ///< time of ten times the work over ten times the time; 1 is ideal
  double event_share = 0;      ///< kernel time by the timer over the host's time around it
  double harness_ns = 0;       ///< host time of one sample beyond the wall time of its kernel
  double self_comparison = 0;  ///< the spin kernel against itself, as a speedup...
  double half_width = 0;       ///< ...and the relative half-width of its 95 % interval
  bool trusted_to_one_percent = false;
};

/// 20 measurement blocks of 5 pairs of a calibrated spin kernel with itself; takes about a second. Throws
/// PointFailure.
SelfTestReport test_harness(Session& session, const TimerReport& timer);

}  // namespace dwarfsweep

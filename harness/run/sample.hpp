// The results of measuring, as plain data that is sent between processes and written to logs: timers and
// their test, samples, and other facts about a point. Nothing here needs OpenCL.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/device/caches.hpp"
#include "harness/run/case.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {

/// How the time of a kernel is taken. The two kinds never meet in one ratio.
enum class Timer {
  device,  ///< END minus START of the kernel's own profiling event
  host,    ///< the host's steady clock around one kernel at a time, where the device's timer failed the
           ///< self-test
};

/// What the timer's self-test has found.
struct Timing {
  Timer timer = Timer::device;
  bool spans = false;        ///< times from one command's START to another's END are valid
  std::int64_t tick_ns = 1;  ///< the timer's resolution
};

/// The result of `test_timer` (harness/run/self_test.hpp).
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

/// The result of `test_harness` (harness/run/self_test.hpp).
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

/// The time of one kernel name within a sample, per launch of the case.
struct KernelTime {
  std::string kernel;       ///< "total" is the sum over all
  double ns = 0;            ///< sum of END minus START over its events, divided by the sample's launches
  std::int64_t events = 0;  ///< enqueues in the whole sample
  /// Raw event timestamps: of the first event QUEUED, SUBMIT and START, of the last one END. Zero with the
  /// host timer.
  std::int64_t queued_ns = 0;
  std::int64_t submit_ns = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};

struct Sample {
  std::vector<KernelTime> kernels;  ///< in order of first use, "total" last
  std::int64_t launches = 1;        ///< runs of the case in this sample
  double wall_ns = 0;               ///< first enqueue to finish, per launch
  /// From the START of the first command of a run (kernel, transfer or fill) to the END of its last one, plus
  /// what the host does before and after them for the same result; mean over the launches. Zero if the
  /// device's events do not show it: host timer, command buffers, or a device whose events are not in order
  /// (harness/run/self_test.hpp).
  double span_ns = 0;
  double host_ns = 0;              ///< transfers and the host's own computing within a run, per launch
  std::int64_t host_begin_ns = 0;  ///< steady clock
  std::int64_t host_end_ns = 0;
  std::string fault;  ///< why the timestamps are invalid; empty: they are valid
};

/// The time of a whole execution: its span, else its wall time. The two must not meet in one ratio.
inline double run_ns(const Sample& sample) {
  return sample.span_ns > 0 ? sample.span_ns : sample.wall_ns;
}

/// What outputs and scratch buffers hold before a launch that is judged (harness/run/staged_case.hpp).
enum class Leftovers {
  kept,    ///< what the last launch in this memory wrote
  poison,  ///< the pattern of the guard bands
  noise,   ///< words that a seed gives, those of ordinary numbers
};

/// What the device reports of one built kernel. Zero registers: the vendor does not say.
struct KernelFacts {
  std::string name;
  std::uint64_t work_group_items = 0;
  std::uint64_t local_bytes = 0;
  std::uint64_t private_bytes = 0;
  std::uint64_t registers = 0;
  std::uint64_t spill_bytes = 0;
};

struct MeasureOptions {
  CacheState cache = CacheState::hot;
  MeasuredCaches caches;
  double half_width = 0.03;   ///< target relative half-width of the interval of a time
  double warm_up_ns = 100e6;  ///< minimum, unless the last three launches agree
  double max_warm_up_ns = 5e9;
  double min_sample_ns = 20e3;  ///< below max(this, some hundred ticks) a sample holds several launches
  std::int64_t tick_ns = 1;
};

/// What is known about a point in addition to its samples.
struct Preparation {
  Status status = Status::ok;
  std::string reason;
  std::int64_t build_ns = 0;
  std::string program_id;          ///< of the point's programs; empty on the host
  std::vector<std::string> paths;  ///< device_features_used() of its programs; the name is the key in JSON
  std::int64_t upload_ns = 0;
  std::int64_t download_ns = 0;
  double warm_up_ns = 0;
  double verify_ns = 0;
  double sample_ns = 0;  ///< wall time of one sample, estimated from the warm-up
  double run_ns = 0;     ///< time of one run, the same way; 0: of an older log
  std::vector<KernelFacts> facts;
  std::vector<Work> work;
  Check check;
};

}  // namespace dwarfsweep

// Tests of a device before anything is measured on it: whether its timer is valid, whether work-groups that
// have started continue to run while others wait for them, and how far timings on this machine can be
// trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/run/launcher.hpp"
#include "harness/run/session.hpp"
#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {

/// The work of one launch of spin: its work-items, and the dependent steps of each.
struct SpinWork {
  std::size_t items = 64;
  cl_uint loops = 100;

  [[nodiscard]] SpinWork tenfold() const { return {items, 10 * loops}; }
};

/// Work of a known amount, for testing timers: the kernel `spin`, whose time is linear in its work.
class Spinner {
 public:
  explicit Spinner(Session& session);

  /// Enqueues; does not wait.
  void launch(Launcher& launcher, const SpinWork& work);
  /// The host's time of one launch with a finish, median of five.
  double host_ns(Launcher& launcher, const SpinWork& work);
  /// Work that takes about `target_ns` of the host's time. First the loops grow, up to where tenfold work
  /// stays below llvmpipe's limit of 65,535 iterations; then, where many cores or a fast one make that too
  /// little, the work-items.
  SpinWork calibrated(Launcher& launcher, double target_ns);

 private:
  Workspace workspace_;
  Buffer<cl_uint> out_;
  Kernel spin_;
};

/// The four timestamps of one event of the test, with the host's time around it.
struct TimerReading {
  std::int64_t queued_ns = 0;
  std::int64_t submit_ns = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t host_ns = 0;
};

/// The judgement alone, so that it can be tested with readings of faulty drivers: `once` are launches of some
/// work, `tenfold` of ten times as much. Returns the reason for mistrust, empty for none.
std::string judge_timer(const std::vector<TimerReading>& once, const std::vector<TimerReading>& tenfold,
                        std::int64_t tick_ns);

/// The timer's step in ns, as its timestamps show it: the greatest common divisor of their differences.
/// Drivers may state another one (NVIDIA states 1000 ns and counts in 32). The stated step if the timestamps
/// show none: they are too few, or the driver has converted them to nanoseconds.
std::int64_t timer_tick(const std::vector<TimerReading>& readings, std::int64_t stated_ns);

struct TimerJudgement {
  std::string reason;  ///< as of judge_timer
  double scaling = 0;  ///< of a timer that passed
};

/// The same for readings as they are taken: five launches of the work and of ten times as much, alternately.
/// If the result is bad, up to four times as many, because a busy machine may have disturbed all of one kind.
/// An impossible reading stays impossible.
TimerJudgement judge_timer(const std::function<TimerReading(bool tenfold)>& read, std::int64_t tick_ns);

/// The same for times from one event to another: `commands` are those of one in-order queue, during which the
/// host waited `host_ns`. Each must start no earlier than the one before it ends, and all of them take no
/// longer than the host waited.
std::string judge_order(const std::vector<EventTimes>& commands, std::int64_t host_ns, std::int64_t tick_ns);

/// Runs the test on the device and sets the session's timing accordingly.
TimerReport test_timer(Session& session);

/// Where kernels_cl/progress.cl keeps what in its `flags`, in words.
namespace progress_words {
inline constexpr std::size_t line = 32;
inline constexpr std::size_t gave_up = 1 * line;
inline constexpr std::size_t pairs_met = 2 * line;
inline constexpr std::size_t wrong = 3 * line;
inline constexpr std::size_t groups_begin = 4 * line;
inline constexpr std::size_t lines_per_group = 3;
constexpr std::size_t count(std::size_t groups) {
  return groups_begin + groups * lines_per_group * line;
}
}  // namespace progress_words

/// Runs the test (kernels_cl/progress.cl); takes milliseconds where they do, and about a second where they do
/// not. Nothing is run where the device cannot order groups.
ProgressReport test_progress(Session& session);

/// 20 measurement blocks of 5 pairs of a calibrated spin kernel with itself; takes about a second. Throws
/// PointFailure.
SelfTestReport test_harness(Session& session, const TimerReport& timer);

}  // namespace dwarfsweep

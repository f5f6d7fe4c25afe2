// One sample: the times of one or more launches of a case. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dwarfsweep {

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
  /// what the host does before and after them for the same result; mean over the launches. Zero where the
  /// device's events do not tell: host timer, command buffers, or a device whose events are not in order
  /// (harness/run/timer_test.hpp).
  double span_ns = 0;
  double host_ns = 0;              ///< transfers and the host's own computing within a run, per launch
  std::int64_t host_begin_ns = 0;  ///< steady clock
  std::int64_t host_end_ns = 0;
  std::string fault;  ///< why the timestamps are invalid; empty: they are valid
};

/// The time of a whole run: its span, else its wall time. The two must not meet in one ratio.
inline double run_ns(const Sample& sample) {
  return sample.span_ns > 0 ? sample.span_ns : sample.wall_ns;
}

}  // namespace dwarfsweep

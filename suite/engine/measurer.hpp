// Measuring points: the one place that asks a worker to prepare, measure, verify or forget them.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "suite/engine/build_ahead.hpp"
#include "suite/engine/sweep_context.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {

/// A measurement block of a point.
struct BlockPlan {
  int round = 0;
  int pairs = 1;
  std::uint64_t seed = 0;  ///< of the order within the pairs
  /// Another point of the group, to take pairs with; null: the point is measured alone. If it is the baseline
  /// and does not work, the point is measured alone, too; if it is another and does not work, there is no
  /// block.
  SweepPoint* reference = nullptr;
  bool remeasured = false;  ///< of a best candidate, after it was selected
};

/// Measures the points of one group on its device. Whatever goes wrong, a crash, a time-out, a reported
/// failure, becomes the state of the point at fault and goes into the log; everything throws Interrupted.
class Measurer {
 public:
  /// `client`: of the group's device. `builds`: where its programs are built ahead; null: nowhere.
  Measurer(SweepContext& context, DeviceClient& client, SweepGroup& group, BuildAhead* builds = nullptr)
      : context_(context),
        limit_(context.options.point_timeout),
        outcomes_(context.outcomes),
        client_(client),
        group_(group),
        builds_(builds) {}

  /// Builds, runs, verifies and warms up the point; what the log of a resumed run says of it is enough. Its
  /// first launches may take a multiple of what the fastest point of the group takes, and no longer.
  void prepare(SweepPoint& point);
  /// Slow points do not matter, as the baseline's time does in a sweep; and what is not prepared by `end` is
  /// given up, the baseline after two thirds of the time until then.
  void search_until(std::optional<std::chrono::steady_clock::time_point> end) {
    is_search_ = true;
    search_begin_ = std::chrono::steady_clock::now();
    search_end_ = end;
  }
  /// False if there was no block: the point is lost, or its reference.
  bool measure_block(SweepPoint& point, const BlockPlan& block);
  /// Runs the point back to back for up to that long and writes the energy. The joules of a run; nothing if
  /// there is none to be had from this device, or the point failed.
  std::optional<double> measure_energy(SweepPoint& point, double seconds);
  /// Digests of its input and of its output, if that has been verified and the worker still holds it. They
  /// are no reason for a point to fail.
  void take_digests(SweepPoint& point);
  /// Whether another block fits into the point's time limit.
  [[nodiscard]] bool has_time_for_block(const SweepPoint& point) const;
  /// Verifies the output of the last sample of every point that was measured since the last such check. In a
  /// worker that did not take that sample there is no such output: then a new launch is verified.
  void verify_last_outputs();
  /// The same for one point, which the worker then forgets until it is measured again, unless it is to keep
  /// it.
  void release(SweepPoint& point, bool keep = false);
  /// The next block of each point is of this round. If the options ask for a new process after a number of
  /// rounds, the worker ends after the check: new blocks are taken with new buffers.
  void begin_round(int round);

  /// Another order in every block, the same in every run with the same seed.
  [[nodiscard]] std::uint64_t order_seed(int round, const SweepPoint& point) const;

 private:
  bool attempt(SweepPoint& point, const std::function<void()>& action);
  template <typename Request>
  typename Request::Answer ask(const Request& request, std::chrono::milliseconds limit);
  struct LaunchLimit {
    std::chrono::milliseconds time;
    std::string reason;  ///< for people
  };
  [[nodiscard]] std::chrono::milliseconds time_to_prepare(const SweepPoint& point) const;
  [[nodiscard]] std::optional<LaunchLimit> launch_limit(const SweepPoint& point) const;
  void end_unanswered(SweepPoint& point);
  void hold(SweepPoint& point);
  bool hold_reference(SweepPoint& reference);
  void verify_last_output(SweepPoint& point, bool forget);
  void fail_deferred_points();
  void show(const SweepPoint& point, const std::string& doing);

  SweepContext& context_;
  std::chrono::milliseconds limit_;  // of a point
  PointOutcomes& outcomes_;
  DeviceClient& client_;
  SweepGroup& group_;
  BuildAhead* builds_;
  const char* doing_ = "";  // the last request
  bool is_search_ = false;
  std::chrono::steady_clock::time_point search_begin_;
  std::optional<std::chrono::steady_clock::time_point> search_end_;
  std::optional<LaunchLimit> first_launches_;  // while they run
};

/// What a point costs, found out in the device's worker without any record.
struct TrialCost {
  double load_s = 0;  ///< generating or reading its data
  Preparation preparation;
  double verify_s = 0;
};
/// Nothing if the point fails. Throws Interrupted.
std::optional<TrialCost> try_point(DeviceClient& client, const PointRequest& point,
                                   std::chrono::milliseconds limit);

/// What every correct launch of a point results in.
struct ComputedResults {
  PointDigests digests;
  double tolerance = 0;  ///< of float elements, as the dwarf's check has it
};
/// Computed and verified in the device's worker without any record. Throws as the worker does.
ComputedResults compute_results(DeviceClient& client, const PointRequest& point,
                                std::chrono::milliseconds limit);

/// Frees what the worker holds. A worker that cannot even do that is ended. Throws Interrupted.
void drop_points(DeviceClient& client, std::chrono::milliseconds limit);

}  // namespace dwarfsweep

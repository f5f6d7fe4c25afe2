// One point of a sweep: prepared, measured block by block, and its last output checked.
#pragma once

#include <optional>

#include "suite/engine/point_questions.hpp"

namespace dwarfsweep {

/// Which measurement block of a point.
struct BlockRequest {
  int round = 0;
  int pairs = 1;
  bool confirmation = false;       ///< of the best candidate, when it is re-measured
  SweepPoint* opponent = nullptr;  ///< of the same group, to pair with; null: the baseline
  bool alone = false;              ///< without any pairing
};

/// Works on the points of one group. What goes wrong is in the points' records, see PointQuestions;
/// everything throws Interrupted.
class PointMeasurer {
 public:
  /// `client`: of the group's device.
  PointMeasurer(const SweepContext& context, DeviceClient& client, SweepGroup& group)
      : context_(context), client_(client), group_(group), questions_(context, client, group) {}

  /// Builds, runs, verifies and warms up the point; what the log of a resumed run says of it is enough.
  void prepare(SweepPoint& point);
  /// Pairs of the baseline, or another opponent, and the point; the point alone where the baseline does not
  /// work. Nothing where another opponent does not.
  void measure_block(SweepPoint& point, const BlockRequest& block);
  /// Runs the point back to back for up to that long and writes the energy. The joules of a run; nothing
  /// where there is none to be had from this device, or where the point has failed.
  std::optional<double> measure_energy(SweepPoint& point, double seconds);
  /// Whether another block fits into the point's time limit.
  [[nodiscard]] bool has_time_for_block(const SweepPoint& point) const;
  /// Verifies the output of the last sample of every point that was measured since the last such check. In a
  /// worker that did not take that sample there is no such output: then a new launch is verified.
  void check_last_outputs();
  /// The same for one point, which the worker then forgets until it is measured again.
  void release(SweepPoint& point);
  /// Ends the worker, after such a check: the next block is taken in a new process, with new buffers. Does
  /// nothing where no point was measured in this one.
  void renew_process();

 private:
  /// Prepares in a new worker what the last one had: not charged to the point's time limit, since another
  /// point took the worker down. False where it does not work any more.
  bool prepare_again(SweepPoint& point);
  void check_last_output(SweepPoint& point, bool forget = false);
  void show(const SweepPoint& point, const std::string& doing);

  SweepContext context_;
  DeviceClient& client_;
  SweepGroup& group_;
  PointQuestions questions_;
};

}  // namespace dwarfsweep

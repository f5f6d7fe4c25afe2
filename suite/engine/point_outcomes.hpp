// What becomes of the points of a sweep: written into the log, and counted for giving up on a variant.
#pragma once

#include <string>

#include "harness/run/sample.hpp"
#include "suite/engine/sweep_log.hpp"
#include "suite/engine/variant_failures.hpp"

namespace dwarfsweep {

class PointOutcomes {
 public:
  /// `cache`: the state of the caches that every record names.
  PointOutcomes(SweepLog& log, VariantFailures& failures, CacheState cache)
      : log_(log), failures_(failures), cache_(cache) {}

  [[nodiscard]] const SweepLog& log() const { return log_; }

  /// Writes the point's record.
  void record(const SweepPoint& point, const Preparation& preparation);
  /// The point has been prepared and verified.
  void prepared(SweepPoint& point, const Preparation& preparation);
  /// The point has been measured once more.
  void measured(const SweepPoint& point, const BlockRecord& block);
  /// Its energy has been measured.
  void measured(const EnergyRecord& energy) { log_.append(energy); }
  /// A remark in the row of a point that is ok in the end.
  void note(SweepPoint& point, const std::string& what);
  /// The device does not go on, which need not be the point's fault: what was measured of it stands where the
  /// output of its last sample was right. Else as `fail`.
  void lose(SweepPoint& point, Status status, const std::string& reason);
  /// Nothing more is done with the point. An exception that is known for its device is added to `reason`.
  void fail(SweepPoint& point, Status status, const std::string& reason,
            const std::string& stop_reason = "failed");
  void reject(SweepPoint& point);
  /// Its variant has been given up: the point is not tried.
  void skip(SweepPoint& point);
  [[nodiscard]] bool given_up(const SweepPoint& point) const { return failures_.given_up(point); }
  /// The time was up before its turn.
  void leave_out(SweepPoint& point);
  void end(SweepPoint& point, const std::string& stop_reason);

  /// Continues a point of a resumed run, which trusts what the log says: failures stay, and what was ok is
  /// prepared when it is measured. False where the point has not been prepared before.
  bool restore(SweepPoint& point);
  /// Counts what the log says of a point as if it had happened just now.
  void count_known(const SweepPoint& point);

 private:
  SweepLog& log_;
  VariantFailures& failures_;
  CacheState cache_;
};

}  // namespace dwarfsweep

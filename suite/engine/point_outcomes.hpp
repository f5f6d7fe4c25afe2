// What becomes of the points of a run: written into its log, and counted for giving up on a variant.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/sample.hpp"
#include "suite/engine/sweep_group.hpp"
#include "suite/record/reason.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {

/// The log of the run that is measured: in memory, and in its file if it has one.
class SweepLog {
 public:
  /// Writes into `folder`, continuing `log` if that holds a run already. Throws UsageError if another process
  /// writes there, or has written since `log` was read.
  SweepLog(const std::filesystem::path& folder, RunLog log);
  /// In memory alone.
  SweepLog() = default;

  /// A record goes to the file first, then to the run in memory: what is announced is safe. Throws
  /// std::runtime_error if it cannot be written (disk full).
  template <typename Record>
  void append(const Record& record) {
    if (writer_) writer_->append(record);
    add_to(log_, record);
  }

  [[nodiscard]] const RunLog& run() const { return log_; }
  [[nodiscard]] bool has_file() const { return writer_.has_value(); }
  /// Nothing has been written yet, not even the record of the run.
  [[nodiscard]] bool is_new() const { return log_.order.empty() && log_.whole_bytes == 0; }
  /// The last record of a point in this part of the run; null if there is none.
  [[nodiscard]] const PointRecord* find(const SweepPoint& point) const;
  /// The stop reason in the point's "end"; null if there is none.
  [[nodiscard]] const std::string* stop_reason(const SweepPoint& point) const;
  /// The same in an earlier part of the run, which has measured the point to its end, or could not.
  [[nodiscard]] const std::string* earlier_stop_reason(const SweepPoint& point) const;
  /// All measurement blocks of a point.
  [[nodiscard]] const std::vector<BlockRecord>& blocks(const SweepPoint& point) const;
  /// Those of the rounds.
  [[nodiscard]] std::vector<BlockRecord> ordinary_blocks(const SweepPoint& point) const;
  /// Those in which it was re-measured as a best candidate.
  [[nodiscard]] std::vector<BlockRecord> remeasured_blocks(const SweepPoint& point) const;
  /// Those of the group's anchor that link it to the baseline.
  [[nodiscard]] std::vector<BlockRecord> anchor_blocks(const SweepGroup& group) const;
  /// Other points are paired with this one, in this part of the run or an earlier one.
  [[nodiscard]] bool is_anchor(const SweepPoint& point) const;
  /// The highest number of a worker process that measured on this device; 0 if none did.
  [[nodiscard]] int last_process(const std::string& device_id) const;

 private:
  RunLog log_;
  std::optional<RunLogWriter> writer_;
};

class PointOutcomes {
 public:
  /// `cache`: the state of the caches that every record names. A variant is given up after that number of
  /// successive failures on a device; 0: never.
  PointOutcomes(SweepLog& log, CacheState cache, int give_up_after)
      : log_(log), cache_(cache), give_up_after_(give_up_after) {}

  [[nodiscard]] const SweepLog& log() const { return log_; }

  /// The point has been prepared and verified.
  void prepared(SweepPoint& point, const Preparation& preparation);
  /// The point has been measured once more.
  void measured(const SweepPoint& point, const BlockRecord& block);
  /// Its energy has been measured.
  void measured(const EnergyRecord& energy) { log_.append(energy); }
  /// Others are paired with it.
  void measured(const AnchorRecord& anchor) { log_.append(anchor); }
  /// Digests of its input and result have been taken.
  void measured(const DigestRecord& digest) { log_.append(digest); }
  /// A remark in the row of a point that is ok in the end.
  void note(SweepPoint& point, const std::string& what);
  /// The device stopped responding, which may not be the point's fault. Its samples are kept if the output of
  /// the last one was correct; otherwise the point fails.
  void fail_unless_verified(SweepPoint& point, Status status, const std::string& reason);
  /// Nothing more is done with the point. An exception that is known for its device is added to `reason`.
  void fail(SweepPoint& point, Status status, const std::string& reason,
            const std::string& stop_reason = "failed");
  void reject(SweepPoint& point);
  /// Its variant has been given up: the point is not tried.
  void skip(SweepPoint& point);
  /// Its first launches were ended, because they took too long. Counts as a failure of its variant.
  void cut_off(SweepPoint& point, const std::string& reason);
  /// The time was up before its turn.
  void leave_out(SweepPoint& point);
  void end(SweepPoint& point, const std::string& stop_reason);

  /// Continues a point of a resumed run, which trusts what the log says: failures stay, and what was ok is
  /// prepared when it is measured. False if the point has not been prepared before.
  bool restore(SweepPoint& point);
  /// Counts what the log says of a point as if it had happened just now.
  void count_known(const SweepPoint& point);

  [[nodiscard]] bool given_up(const SweepPoint& point) const;
  /// Another problem may suit a variant better: one point of it is tried in this group.
  void give_another_chance(const SweepGroup& group);

 private:
  struct Failures {
    int in_row = 0;
    std::string last;
  };

  void record(const SweepPoint& point, const Preparation& preparation);
  [[nodiscard]] Preparation known_preparation(const SweepPoint& point) const;
  void count(const SweepPoint& point, Status status, const std::string& reason);
  void count_failure(const SweepPoint& point, Status status, const std::string& reason);

  SweepLog& log_;
  CacheState cache_;
  int give_up_after_;
  std::map<std::string, Failures> failures_;  // by device, dwarf and variant
};

}  // namespace dwarfsweep

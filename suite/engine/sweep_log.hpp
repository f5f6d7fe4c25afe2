// The log of the run that a sweep makes: in its file and in memory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/engine/sweep_group.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {

class SweepLog {
 public:
  /// Writes into `folder`, continuing `log` where that holds a run already. Throws UsageError where another
  /// process writes there, or has written since `log` was read.
  SweepLog(const std::filesystem::path& folder, RunLog log);

  /// A record goes to the file first, then to the run in memory: what is announced is safe. Throws
  /// std::runtime_error where it cannot be written (disk full).
  template <typename Record>
  void append(const Record& record) {
    writer_.append(record);
    add_to(log_, record);
  }

  [[nodiscard]] const RunLog& run() const { return log_; }
  /// Nothing has been written yet, not even the record of the run.
  [[nodiscard]] bool is_new() const { return log_.order.empty() && log_.whole_bytes == 0; }
  /// The last record of a point in this part of the run; null where there is none.
  [[nodiscard]] const PointRecord* find(const SweepPoint& point) const;
  /// An earlier part of the run has measured the point to its end, or could not.
  [[nodiscard]] bool ended_earlier(const SweepPoint& point) const;
  /// The stop reason in the point's "end"; null where there is none.
  [[nodiscard]] const std::string* stop_reason(const SweepPoint& point) const;
  /// All measurement blocks of a point.
  [[nodiscard]] const std::vector<BlockRecord>& blocks(const SweepPoint& point) const;
  /// Its blocks without those of the re-measurement of the best candidate.
  [[nodiscard]] std::vector<BlockRecord> ordinary_blocks(const SweepPoint& point) const;
  /// Those in which it was re-measured as a best candidate.
  [[nodiscard]] std::vector<BlockRecord> remeasured_blocks(const SweepPoint& point) const;
  /// The highest number of a worker process that measured on this device; 0 where none did.
  [[nodiscard]] int last_process(const std::string& device_id) const;

 private:
  RunLog log_;
  RunLogWriter writer_;
};

}  // namespace dwarfsweep

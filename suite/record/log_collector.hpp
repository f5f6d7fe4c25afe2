// From the lines of a log to the run that they tell of.
#pragma once

#include <string>

#include "suite/record/json_fwd.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Reads a record of type "run" or "part". Throws std::runtime_error for a schema that this program does not
/// know.
RunRecord read_run_record(const Json& line);

/// Adds the records of a log to a run, one line after the other.
class LogCollector {
 public:
  explicit LogCollector(RunLog& log) : log_(log), has_run_(!log.run.run_id.empty()) {}

  /// Throws std::runtime_error or Json::exception: what is wrong with the line.
  void add(const Json& line);
  [[nodiscard]] bool has_run() const { return has_run_; }

 private:
  template <typename Record>
  Record known(Record record) const;

  RunLog& log_;
  bool has_run_;
};

}  // namespace dwarfsweep

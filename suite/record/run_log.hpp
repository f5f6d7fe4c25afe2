// The append-only log of a run, log.jsonl: one JSON object per line,
// {"type":"run|part|device|peaks|selftest|size|known|plan|point|visit|energy|end|search|evaluation|
// answer",...}.
//
// An incomplete last line, which a killed run or a full disk leaves, is removed before the next line is
// written, and ignored when the log is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "suite/record/log_line.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

inline constexpr const char* log_name = "log.jsonl";

class RunLogWriter {
 public:
  /// Creates the log, or continues an existing one. Throws std::runtime_error naming file and reason,
  /// and UsageError where another process writes this log.
  explicit RunLogWriter(const std::filesystem::path& path);
  ~RunLogWriter();
  RunLogWriter(const RunLogWriter&) = delete;
  RunLogWriter& operator=(const RunLogWriter&) = delete;

  /// The record was handed to the operating system when this returns, so that a killed program loses nothing.
  /// Throws std::runtime_error naming file and reason (disk full); the log then ends with the previous
  /// record.
  template <typename Record>
  void append(const Record& record) {
    write_line(log_line(record));
  }

  /// Size of the log without an incomplete line at its end.
  [[nodiscard]] std::int64_t whole_bytes() const { return whole_bytes_; }

 private:
  void cut_incomplete_line();
  void write_line(const std::string& line);

  std::filesystem::path path_;
  int file_ = -1;
  std::int64_t whole_bytes_ = 0;  ///< up to the end of the last complete line
};

/// Reads `path`, or log.jsonl in the folder `path`. The log begins with the run, and a block or an end
/// follows its point. Throws InputError naming file and line.
RunLog read_log(const std::filesystem::path& path);

}  // namespace dwarfsweep

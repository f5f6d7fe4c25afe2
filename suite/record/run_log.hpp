// The append-only log of a run, log.jsonl: one JSON object per line, {"type":"run|part|device|peaks|selftest|
// size|known|plan|point|visit|anchor|energy|digest|
// end|search|evaluation|answer",...}.
//
// An incomplete last line, which a killed run or a full disk leaves, is removed before the next line is
// written, and ignored when the log is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

inline constexpr const char* log_name = "log.jsonl";

/// A record of any type as a line of the log: a JSON object with its type, and the line break.
template <typename Record>
std::string log_line(const Record& record);

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
/// The same of a log that is open already; `file` is its name in messages.
RunLog read_log(const std::filesystem::path& file, std::istream& stream);

/// A piece of a log: what one part of the run has. Reading a log piece by piece keeps few of them in memory
/// at a time.
struct LogSegment {
  std::filesystem::path file;
  std::int64_t begin = 0, end = 0;  ///< bytes of its records, after that of the run or part
  int first_line = 0;               ///< number of the line at `begin`, from 1
  RunRecord run;
};

struct LogOutline {
  std::vector<LogSegment> segments;  ///< the parts of the run, in their order
  std::int64_t planned = -1;         ///< points, by the last word on it; -1: none
};

/// Reads the records of the run and its parts, and passes over all others. `path`: a log, or the folder of a
/// run. An incomplete last line is left out. Throws InputError naming file and line.
LogOutline outline_log(const std::filesystem::path& path);

/// What the part has, without earlier ones. Throws InputError naming file and line.
RunLog read_segment(const LogSegment& segment);

}  // namespace dwarfsweep

// A log read piece by piece: each piece is what one part of the run has, and few are in memory at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

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

// Ladders: environments from old to new, such as the versions of a driver. A text file with a line for each,
//
//   # name   variables
//   23.1     OCL_ICD_VENDORS=/opt/driver-23.1/vendors
//   23.2     OCL_ICD_VENDORS=/opt/driver-23.2/vendors LD_LIBRARY_PATH=/opt/driver-23.2/lib
//
// A name has letters, digits and ._+- only, because it becomes part of file names. Values have no blanks, and
// are used as they are: neither ~ nor $NAME is replaced. Empty lines and lines that begin with # are skipped.
#pragma once

#include <string>
#include <vector>

namespace dwarfsweep {

struct Rung {
  std::string name;
  std::string environment;  ///< "NAME=value NAME=value"
};

/// Throws InputError naming file and line. A file or a pipe of at most 1 MiB, with at least two rungs.
std::vector<Rung> read_ladder(const std::string& file);
/// The same for a text; `file` is its name in messages.
std::vector<Rung> parse_ladder(const std::string& file, const std::string& text);

/// The rungs from `good` to `bad`, upwards or downwards. An empty name stands for the first and the last
/// rung. Throws UsageError.
std::vector<Rung> part_of_ladder(const std::vector<Rung>& ladder, const std::string& good,
                                 const std::string& bad);

}  // namespace dwarfsweep

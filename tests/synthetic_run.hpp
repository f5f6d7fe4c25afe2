// A run that nobody measured: two devices, two dwarfs, every kind of row, for the tests of what follows from
// a log.
#pragma once

#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Device "fast" has a sane timer, "slow" is timed by the host; "host" is the program's own CPU code.
/// lud (kernels diagonal, internal) has a baseline, granularity 2 (twice as fast on "fast"), granularity 4
/// (rejected), and variant blocked with a kernel of its own (trailing). crc failed to build everywhere.
RunLog make_synthetic_run();

/// The same, as the records of its log in the order in which they would be written.
void write_synthetic_log(const std::string& path);

struct SyntheticBlock {
  PointKey key;
  int round = 0;
  std::vector<std::pair<std::string, double>> kernels;           ///< of the point itself, ns
  std::vector<std::pair<std::string, double>> baseline_kernels;  ///< empty: unpaired
  int pairs = 5;
};
/// Times scatter by some per mille, the same every time.
BlockRecord make_block(const SyntheticBlock& block);

}  // namespace dwarfsweep

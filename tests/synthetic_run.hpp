// A synthetic run: two devices, two dwarfs and every kind of row, for the tests of what is made from a log.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Device "fast" has a working timer, "slow" is timed by the host; "host" is the CPU reference.
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
/// Times vary by a few per mille, the same in every call.
BlockRecord make_block(const SyntheticBlock& block);

/// On the device "fast": the point of variant blocked is the anchor, 2.75 times as fast as the baseline. That
/// of granularity 2, as fast as before, is paired with it.
RunLog make_anchored_run();

namespace test {

/// The first point of the device whose configuration contains `part`; throws where there is none.
PointRecord& point_of(RunLog& log, const std::string& device, const std::string& part);

/// The row of lud; throws where there is none.
template <typename Row>
const Row& lud_row(const std::vector<Row>& rows, const std::string& device, const std::string& variant,
                   const std::string& granularity, const std::string& kernel) {
  for (const Row& row : rows) {
    if (row.dwarf == "lud" && row.device_id == device && row.variant == variant &&
        row.granularity == granularity && row.kernel == kernel) {
      return row;
    }
  }
  throw std::runtime_error("there is no such row");
}

}  // namespace test
}  // namespace dwarfsweep

// What the samples of a log must be if they were measured: whole numbers of two clocks that never go back.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// What cannot be if the samples were measured, a sentence each: clocks that go back, times that are not
/// those of their time stamps, sums that do not add up.
std::vector<std::string> faults_of_samples(const RunLog& log);

/// The same of the order of the log: a worker takes one sample after the other. `log` is one that read_log()
/// has read. A merged log has the blocks of each point together, and is in no order.
std::optional<std::string> fault_of_order(const std::string& log);

/// What hardly ever is: samples without any spread, or of which most are the same.
std::vector<std::string> doubts_of_samples(const RunLog& log);

/// Hashes of begin and duration of each sample by the host's clock: two runs have none in common.
std::set<std::uint64_t> sample_marks(const RunLog& log);

}  // namespace dwarfsweep

// What the samples of a log must be if they were measured: whole numbers of two clocks that never go back.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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

/// A hash of each sample after a point's first: how long it, the one before it and the pause between them
/// took. No clock's origin matters, so two blocks or runs have none in common.
std::vector<std::uint64_t> sample_marks(const RunLog& log);

/// Times in the order of the samples, of points that have some: by device, and by dwarf, problem and
/// configuration.
using SampleTimes = std::map<std::string, std::vector<double>>;
std::map<std::string, SampleTimes> sample_times(const RunLog& log);

/// By device, if it has many: what all its kernels' times are multiples of, ns.
std::map<std::string, std::int64_t> timer_steps(const RunLog& log);

}  // namespace dwarfsweep

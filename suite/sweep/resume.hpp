// Continuing a run: only if its new samples can be compared with the old ones.
#pragma once

#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Where the last part of the run differs from what is here, in words: program, kernels, host, and of each of
/// its devices identity, driver and limits. `here`: this program on this host. `devices`: those that are
/// here. Empty: nothing differs.
std::vector<std::string> differences(const RunLog& log, const RunRecord& here,
                                     const std::vector<DeviceInfo>& devices);

/// Throws UsageError that names every difference and what is allowed. `folder`: of the run.
void require_same(const RunLog& log, const RunRecord& here, const std::vector<DeviceInfo>& devices,
                  const std::string& folder);

/// The record of the next part of the run: `here`, with a name and the command line of the run.
PartRecord next_part(const RunLog& log, const RunRecord& here);

}  // namespace dwarfsweep

// A builder: a process that builds programs into the program cache before the worker needs them. It may crash
// or hang at any time, and runs no kernel.
#pragma once

#include <string>
#include <vector>

#include "suite/worker/requests.hpp"

namespace dwarfsweep {

/// The programs of points that share their data. A point whose case cannot be constructed has none, and a
/// reason instead. Throws what loading the data throws.
ProgramList list_programs(const DeviceInfo& device, const std::string& kernels,
                          const std::vector<PointRequest>& points);

/// Serves requests until their end is closed. Returns the exit status of the process.
int run_builder();

}  // namespace dwarfsweep

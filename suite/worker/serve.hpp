// What this program does as a child process of itself.
#pragma once

#include <string>
#include <vector>

#include "suite/worker/requests.hpp"

namespace dwarfsweep {

/// A worker does everything OpenCL. These serve requests until their end is closed, and return the exit
/// status of the process.
int run_worker();
/// A worker for foreign kernels, see confine_process().
int run_confined_worker();
/// A builder builds programs into the program cache before the worker needs them. It may crash or hang at any
/// time, and runs no kernel.
int run_builder();
/// A counter is a worker whose only device is Oclgrind, an OpenCL simulator, which counts the instructions
/// that a point's kernels execute.
int run_counter();

/// The programs of points that share their data. A point whose case cannot be constructed has none, and a
/// reason instead. Throws what loading the data throws.
ProgramList list_programs(const DeviceInfo& device, const std::string& kernels,
                          const std::vector<PointRequest>& points);

/// Oclgrind's library for OpenCL's loader; empty where it is not installed. The environment variable
/// DWARFSWEEP_OCLGRIND names another.
std::string find_oclgrind();

/// The last of `runs` equal runs in the output of Oclgrind. Throws std::runtime_error if the launches are not
/// those of that many runs.
InstructionCounts parse_counts(const std::string& printed, int runs);

}  // namespace dwarfsweep

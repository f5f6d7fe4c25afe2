// The counter: a worker whose only device is Oclgrind, an OpenCL simulator, which counts the instructions
// that a point's kernels execute.
#pragma once

#include <string>

#include "suite/search/carve.hpp"

namespace dwarfsweep {

/// Oclgrind's library for OpenCL's loader; empty where it is not installed. The environment variable
/// DWARFSWEEP_OCLGRIND names another.
std::string find_oclgrind();

/// Of what Oclgrind has printed of so many runs, one like the other: the last. Throws std::runtime_error
/// where the launches are not those of so many runs.
InstructionCounts parse_counts(const std::string& printed, int runs);

/// Serves requests until their end is closed. Returns the exit status of the process.
int run_counter();

}  // namespace dwarfsweep

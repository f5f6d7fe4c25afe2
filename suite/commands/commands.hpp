// The commands of the program. Each returns the exit status: 0 all points ok or rejected, 1 some point
// failed.
#pragma once

#include <string>

#include "suite/plan/options.hpp"

namespace dwarfsweep {

/// Version and git revision, with a hash of the kernels where these were edited: what a run.json tells of the
/// program.
std::string version_text();

int command_devices(const Options& options);
int command_list(const Options& options);
int command_run(const Options& options);
int command_sweep(const Options& options);
int command_table(const Options& options);
int command_compare(const Options& options);
int command_peaks(const Options& options);
int command_selftest(const Options& options);

}  // namespace dwarfsweep

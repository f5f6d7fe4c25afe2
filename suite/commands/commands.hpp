// The commands of the program, each in a file of its name. Each returns the exit status: 0 all points ok or
// rejected, 1 some point failed.
#pragma once

#include "suite/plan/options.hpp"

namespace dwarfsweep {

int command_devices(const Options& options);
int command_list(const Options& options);
int command_run(const Options& options);
int command_sweep(const Options& options);
int command_tune(const Options& options);
int command_table(const Options& options);
int command_report(const Options& options);
int command_compare(const Options& options);
int command_merge(const Options& options);
int command_peaks(const Options& options);
int command_selftest(const Options& options);

}  // namespace dwarfsweep

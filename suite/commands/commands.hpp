// The commands of the program. Each returns the exit status: 0 all points ok or rejected, 1 some point
// failed. What ends a command early is an exception, for which main() has the exit status.
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

/// `list --plan`: prints a table, or JSON with --json.
int print_plan_estimate(const Options& options);

/// `list --programs`: prints JSON, an object for each device, dwarf and problem: its programs, each once, and
/// its points with the ids of their programs, or with the reason why they have none. Opens no device, and
/// builds and runs nothing.
int print_plan_programs(const Options& options);

}  // namespace dwarfsweep

// The commands of the program. Each returns the exit status: 0 all points ok or rejected, 1 some point
// failed. What ends a command early is an exception, for which main() has the exit status.
#pragma once

#include "suite/commands/command_line.hpp"

namespace dwarfsweep {

int command_devices(const CommandLine& line);
int command_list(const CommandLine& line);
int command_run(const CommandLine& line);
int command_sweep(const CommandLine& line);
int command_tune(const CommandLine& line);
int command_table(const CommandLine& line);
int command_report(const CommandLine& line);
int command_compare(const CommandLine& line);
int command_judge(const CommandLine& line);
int command_merge(const CommandLine& line);
int command_share(const CommandLine& line);
int command_intake(const CommandLine& line);
int command_atlas(const CommandLine& line);
int command_peaks(const CommandLine& line);
int command_selftest(const CommandLine& line);

/// `compare --bisect LADDER`: between which two environments did a point get slower, or fail? The exit
/// status: 0 no point changed, 1 found, 5 undecided.
int compare_ladder(const CommandLine& line);

/// `list --plan`: prints a table, or JSON with --json.
int print_plan_estimate(const CommandLine& line);

/// `list --programs`: prints JSON, an object for each device, dwarf and problem: its programs, each once, and
/// its points with the ids of their programs, or with the reason why they have none. Opens no device, and
/// builds and runs nothing.
int print_plan_programs(const CommandLine& line);

}  // namespace dwarfsweep

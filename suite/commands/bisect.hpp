// `compare --bisect LADDER`: between which two environments did a point get slower, or fail?
#pragma once

#include "suite/commands/command_line.hpp"

namespace dwarfsweep {

/// The exit status: 0 no point changed, 1 found, 5 undecided.
int compare_ladder(const CommandLine& line);

}  // namespace dwarfsweep

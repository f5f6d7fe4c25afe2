// The options with their arguments and meanings, as --help shows them.
#pragma once

#include <boost/program_options/options_description.hpp>

#include "suite/commands/command_table.hpp"

namespace dwarfsweep {

/// The options that the command takes, and --help.
boost::program_options::options_description describe_options(const Command& command);

}  // namespace dwarfsweep

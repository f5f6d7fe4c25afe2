// The command line, read and checked for form. Whether the names in it exist is checked where they are used.
#pragma once

#include <string>
#include <vector>

#include "suite/commands/option_values.hpp"
#include "suite/plan/options.hpp"
#include "suite/record/record.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {

/// A command with the values of its options.
struct CommandLine : OptionValues {
  std::string command;
  std::vector<std::string> arguments;  ///< as given, for the record of the run
};

/// `arguments` without the program's name, the command first. Throws UsageError.
CommandLine parse_command_line(const std::vector<std::string>& arguments);

/// What the line says of points and of how they are measured. Throws UsageError.
Options measuring_options(const CommandLine& line);

/// The log of the run that --resume names; an empty one without the option. Throws UsageError if there is no
/// such folder.
RunLog log_to_resume(const CommandLine& given);

/// The command line of the run in `log`, which is to be continued, with the options that are `given` now in
/// place of its own. Throws UsageError if the log has no run of this command.
CommandLine resumed_line(const CommandLine& given, const RunLog& log);

}  // namespace dwarfsweep

// The command line, read and checked for form. Whether the names in it exist is checked where they are used.
#pragma once

#include <string>
#include <vector>

#include "suite/plan/options.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// `arguments` without the program's name. Throws UsageError.
Options parse_options(const std::vector<std::string>& arguments);

/// The options of the run in `log`, which is to be continued; from the command line that resumes it (`given`)
/// the folder, and the budget, the limit of a point and the evaluations if they are given. Throws UsageError
/// if the log has no command line.
Options resumed_options(const Options& given, const RunLog& log);

/// The help of one command, or the overview if `command` is empty.
std::string help_text(const std::string& command);

}  // namespace dwarfsweep

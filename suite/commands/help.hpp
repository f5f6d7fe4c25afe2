// What the program prints about itself. It needs no device.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/commands/option_table.hpp"

namespace dwarfsweep {

/// The text that these arguments ask for: version, help, man page or a shell's completion. None if they name
/// a command to execute. Throws UsageError.
std::optional<std::string> requested_text(const std::vector<std::string>& arguments);

/// Files for a user's shell, which `cmake --install` installs: the man page, and the completions of bash and
/// zsh. `kind` is "--man", "--bash" or "--zsh", as an argument of `dwarfsweep help`; none for anything else.
std::optional<std::string> shell_file(const std::string& kind);

/// The summary as a sentence.
std::string summary_of(const Command& command);

/// "--budget TIME", or "RUN..." for folders of runs.
std::string term_of(const CommandOption& option);

/// The text of a table with the names of dwarfs and strategies in place of {default_dwarfs}, {all_dwarfs},
/// {strategies} and {strategy_words}.
std::string with_names(std::string_view text);

/// The meaning of the option, in full.
std::string meaning_of(const CommandOption& option);

}  // namespace dwarfsweep

// The commands of the program and their options, as data. The parser, the help, the man page and the
// completions of shells are made of these tables.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

/// What stands behind the options without dashes, folders of runs, has this name among them.
inline constexpr std::string_view operands = "RUN";

/// The group of the options that compare takes for measuring.
inline constexpr std::string_view with_pairs = "With --pairs or --bisect only";

struct CommandOption {
  std::string_view group = {};    ///< the heading under which --help lists it
  std::string_view name = {};     ///< without dashes
  std::string_view value = {};    ///< what it takes: "DIR"; empty: nothing
  std::string_view brief = {};    ///< its line in -h, without a full stop
  std::string_view details = {};  ///< further sentences for --help and the man page
  std::string_view words = {};    ///< values that completion offers, with blanks between them
  enum class Values { one, repeated, of_words } values = Values::one;  ///< of_words: one of `words`
};

/// Whether it takes folders or files: shells complete these, and `share` removes them.
bool is_path(const CommandOption& option);

/// An exit status, an environment variable or an example, and what it means.
struct HelpEntry {
  std::string_view term, meaning;
};

struct Command {
  std::string_view name;
  std::string_view usage;    ///< the command line after the program's name
  std::string_view summary;  ///< one line, for the list of commands
  std::string_view details;  ///< further sentences
  std::span<const CommandOption> options;
  std::span<const HelpEntry> examples, exit_statuses, environment;

  /// Null where it has none of that name.
  [[nodiscard]] const CommandOption* find(std::string_view option) const;
};

/// In the order in which help lists them.
std::span<const Command> commands();

/// Throws UsageError that names all commands.
const Command& find_command(std::string_view name);

/// The names of the commands that take the option.
std::vector<std::string_view> commands_with(std::string_view option);

}  // namespace dwarfsweep

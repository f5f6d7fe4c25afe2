// The commands of the program: their names, usage, and which options each takes.
#pragma once

#include <string>
#include <vector>

namespace dwarfsweep {

struct Command {
  std::string name;
  std::string usage;    ///< the command line after the program's name
  std::string summary;  ///< one sentence
  std::vector<std::string> options;

  [[nodiscard]] bool takes(const std::string& option) const;
};

/// In the order in which help lists them.
const std::vector<Command>& commands();

/// Throws UsageError that names all commands.
const Command& find_command(const std::string& name);

}  // namespace dwarfsweep

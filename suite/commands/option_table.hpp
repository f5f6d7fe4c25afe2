// The commands of the program with their usage and options, and the meaning of each option, as --help shows
// them.
#pragma once

#include <boost/program_options/options_description.hpp>
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

/// The options that the command takes, and --help.
boost::program_options::options_description describe_options(const Command& command);

}  // namespace dwarfsweep

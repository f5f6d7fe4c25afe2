// Files for a user's shell, which `cmake --install` installs: the man page, and the completions of bash and
// zsh.
#pragma once

#include <optional>
#include <string>

namespace dwarfsweep {

/// `kind` is "--man", "--bash" or "--zsh", as an argument of `dwarfsweep help`; none for anything else.
std::optional<std::string> shell_file(const std::string& kind);

}  // namespace dwarfsweep

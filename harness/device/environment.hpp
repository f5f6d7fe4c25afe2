// Variables of this process' environment.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace dwarfsweep {

/// Those whose names begin with one of `prefixes` and hold none of `except`, by name. Never one whose name
/// speaks of a secret (KEY, TOKEN, ...): what is found here is written to files.
std::map<std::string, std::string> environment_of(std::span<const std::string_view> prefixes,
                                                  std::span<const std::string_view> except = {});

}  // namespace dwarfsweep

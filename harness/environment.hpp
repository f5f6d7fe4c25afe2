// Variables of this process' environment.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace dwarfsweep {

/// Those whose names begin with one of `prefixes` and hold none of `except`, by name.
std::map<std::string, std::string> environment_of(std::span<const std::string_view> prefixes,
                                                  std::span<const std::string_view> except);

}  // namespace dwarfsweep

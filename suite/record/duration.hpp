// Durations as users write and read them.
#pragma once

#include <chrono>
#include <string>

namespace dwarfsweep {

/// "10m", "90s", "500ms", "2h", or a number of seconds. Throws UsageError naming the option.
std::chrono::milliseconds parse_duration(const std::string& option, const std::string& text);

/// "1h02m", "2m05s", "48s".
std::string human_duration(std::chrono::milliseconds time);

}  // namespace dwarfsweep

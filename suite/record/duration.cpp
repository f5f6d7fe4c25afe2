#include "suite/record/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/space/error.hpp"
#include "harness/space/value.hpp"

namespace dwarfsweep {

std::chrono::milliseconds parse_duration(const std::string& option, const std::string& text) {
  static const std::map<std::string, double> units = {
      {"ms", 1}, {"", 1000}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
  const std::size_t digits = text.find_first_not_of("0123456789.");
  const Value number = Value::parse(text.substr(0, digits));
  const auto unit = units.find(digits == std::string::npos ? "" : text.substr(digits));
  if (number.is_string() || unit == units.end() || number.real() * unit->second > 3.6e9) {
    throw UsageError(
        fmt::format("--{} is '{}', but must be a time such as 500ms, 90s, 10m or 2h", option, text));
  }
  const long long rounded = std::llround(number.real() * unit->second);
  // Zero often means no limit, which the shortest time must not become.
  return std::chrono::milliseconds(number.real() > 0 ? std::max(1LL, rounded) : 0);
}

std::string human_duration(std::chrono::milliseconds time) {
  const auto seconds = (time.count() + 500) / 1000;
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
}

}  // namespace dwarfsweep

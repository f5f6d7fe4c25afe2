// Directions on the sky, for tpacf: text, a right ascension and a declination in degrees per line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct Direction {
  double right_ascension = 0;  ///< in degrees, -360 to 360
  double declination = 0;      ///< in degrees, -90 to 90
};

/// One direction per line, split on blanks or a comma; '#' begins a comment, empty lines count for nothing.
/// At least one. Throws InputError.
std::vector<Direction> read_directions(const std::filesystem::path& file);
std::vector<Direction> read_directions(std::string_view bytes, const std::string& name);

}  // namespace dwarfsweep

// Obstacles in a three-dimensional grid of cells, one character each: the input of lattice-Boltzmann codes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct Obstacles {
  std::int64_t nx = 0, ny = 0, nz = 0;
  std::vector<std::uint8_t> solid;  ///< nz planes of ny rows of nx cells: 1 for an obstacle
};

/// `.` is fluid, any other character an obstacle. A line is a row; an empty line ends a plane. All rows and
/// all planes are equally large. A carriage return at the end of a line does not count. Throws InputError.
Obstacles read_obstacles(const std::filesystem::path& file);
Obstacles read_obstacles(std::string_view bytes, const std::string& name);

}  // namespace dwarfsweep

// The lattice of lbm: its directions, its cells and the obstacles among them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/space/problem.hpp"

namespace dwarfsweep::lbm {

struct Direction {
  int x, y, z;
  std::size_t opposite;
  double weight;
};

constexpr std::size_t directions = 19;

/// D3Q19, in the order of the dump: C N S E W T B NE NW SE SW NT NB ST SB ET EB WT WB.
constexpr std::array<Direction, directions> lattice = {{{0, 0, 0, 0, 1.0 / 3},
                                                        {0, 1, 0, 2, 1.0 / 18},
                                                        {0, -1, 0, 1, 1.0 / 18},
                                                        {1, 0, 0, 4, 1.0 / 18},
                                                        {-1, 0, 0, 3, 1.0 / 18},
                                                        {0, 0, 1, 6, 1.0 / 18},
                                                        {0, 0, -1, 5, 1.0 / 18},
                                                        {1, 1, 0, 10, 1.0 / 36},
                                                        {-1, 1, 0, 9, 1.0 / 36},
                                                        {1, -1, 0, 8, 1.0 / 36},
                                                        {-1, -1, 0, 7, 1.0 / 36},
                                                        {0, 1, 1, 14, 1.0 / 36},
                                                        {0, 1, -1, 13, 1.0 / 36},
                                                        {0, -1, 1, 12, 1.0 / 36},
                                                        {0, -1, -1, 11, 1.0 / 36},
                                                        {1, 0, 1, 18, 1.0 / 36},
                                                        {1, 0, -1, 17, 1.0 / 36},
                                                        {-1, 0, 1, 16, 1.0 / 36},
                                                        {-1, 0, -1, 15, 1.0 / 36}}};

/// What a cell is, as in the dump.
enum class Flag : std::uint8_t { fluid = 0, obstacle = 1, accelerated = 2 };

/// The velocity towards which accelerated cells relax.
constexpr std::array<double, 3> lid_velocity = {0.005F, 0.002F, 0};

/// nz planes of ny rows of nx cells, which wrap around; `steps` to make.
struct Grid {
  std::int64_t nx = 0, ny = 0, nz = 0;
  int steps = 1;
  float omega = 1;

  [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(nx * ny * nz); }
};

Grid grid_of(const Problem& problem);

/// Maps a place at most one outside [0, count) into it, periodically.
inline std::int64_t wrapped(std::int64_t place, std::int64_t count) {
  return place < 0 ? count - 1 : place == count ? 0 : place;
}

struct Place {
  std::int64_t x, y, z;
};

inline Place place_of_cell(const Grid& grid, std::size_t cell) {
  const auto at = static_cast<std::int64_t>(cell);
  const std::int64_t row = at / grid.nx;
  return {at - row * grid.nx, row % grid.ny, row / grid.ny};
}

/// The number of the cell at a place plus c.
inline std::size_t neighbour(const Grid& grid, const Place& at, const Direction& c) {
  const std::int64_t x = wrapped(at.x + c.x, grid.nx);
  const std::int64_t y = wrapped(at.y + c.y, grid.ny);
  const std::int64_t z = wrapped(at.z + c.z, grid.nz);
  return static_cast<std::size_t>((z * grid.ny + y) * grid.nx + x);
}

/// How numbers are kept between steps, each with an error of its own.
enum class Storage { plain, shifted, half };

}  // namespace dwarfsweep::lbm

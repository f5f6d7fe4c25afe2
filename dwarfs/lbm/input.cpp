#include "dwarfs/lbm/input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/device/host.hpp"
#include "harness/formats/obstacles.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::lbm {

Grid grid_of(const Problem& problem) {
  return {problem.integer("nx"), problem.integer("ny"), problem.integer("nz"),
          static_cast<int>(problem.integer("steps")), static_cast<float>(problem.real("omega"))};
}

namespace {

void require_memory(const Grid& grid) {
  // Before, expected, found twice (as on the device and as numbers), and two arrays in double precision.
  const double bytes = static_cast<double>(grid.nx) * static_cast<double>(grid.ny) *
                       static_cast<double>(grid.nz) * directions * (4 * sizeof(float) + 2 * sizeof(double));
  require_host_memory(fmt::format("lbm: a grid of {} x {} x {}", grid.nx, grid.ny, grid.nz),
                      static_cast<std::uint64_t>(std::min(bytes, 0x1p62)));
}

// The lid-driven cavity: walls on all sides, and below the lid and above the floor cells that are driven.
Flag cavity_flag(const Grid& grid, std::int64_t x, std::int64_t y, std::int64_t z) {
  const auto at_end = [](std::int64_t place, std::int64_t count) { return place == 0 || place == count - 1; };
  const auto within = [](std::int64_t place, std::int64_t count) { return place > 1 && place < count - 2; };
  if (at_end(x, grid.nx) || at_end(y, grid.ny) || at_end(z, grid.nz)) return Flag::obstacle;
  if ((z == 1 || z == grid.nz - 2) && within(x, grid.nx) && within(y, grid.ny)) return Flag::accelerated;
  return Flag::fluid;
}

std::vector<std::uint8_t> flags_of(const Grid& grid, bool cavity) {
  std::vector<std::uint8_t> flags(grid.cells());
  if (!cavity) return flags;
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < grid.ny * grid.nz; ++row) {
    for (std::int64_t x = 0; x < grid.nx; ++x)
      flags[static_cast<std::size_t>(row * grid.nx + x)] =
          static_cast<std::uint8_t>(cavity_flag(grid, x, row % grid.ny, row / grid.ny));
  }
  return flags;
}

}  // namespace

std::shared_ptr<const LbmInput> generate_fluid(const Problem& problem, std::uint64_t seed) {
  const Grid grid = grid_of(problem);
  require_memory(grid);
  std::vector<float> f(directions * grid.cells());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < directions; ++i) {
    const auto weight = static_cast<float>(lattice[i].weight);
    Random random(seed_of_part(seed, i));
    random.fill_uniform(std::span(f).subspan(i * grid.cells(), grid.cells()), 0.95F * weight, 1.05F * weight);
  }
  return std::make_shared<LbmInput>(grid, std::move(f), flags_of(grid, problem.string("setup") == "cavity"));
}

Loaded load_obstacles(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 1);
  const std::string& file = files.front();
  const Obstacles obstacles = read_obstacles(file);
  ValueMap values = with_found(info.name, request, "nx", obstacles.nx, file);
  values = with_found(info.name, values, "ny", obstacles.ny, file);
  values = with_found(info.name, values, "nz", obstacles.nz, file);
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  const Grid grid = grid_of(problem);
  require_memory(grid);
  std::vector<std::uint8_t> flags = flags_of(grid, problem.string("setup") == "cavity");
  for (std::size_t cell = 0; cell < flags.size(); ++cell)
    if (obstacles.solid[cell] != 0) flags[cell] = static_cast<std::uint8_t>(Flag::obstacle);
  std::vector<float> f(directions * grid.cells());
  for (std::size_t i = 0; i < directions; ++i)
    std::fill_n(f.begin() + static_cast<std::ptrdiff_t>(i * grid.cells()), grid.cells(),
                static_cast<float>(lattice[i].weight));
  return {std::move(problem), std::make_shared<LbmInput>(grid, std::move(f), std::move(flags))};
}

}  // namespace dwarfsweep::lbm

#include "dwarfs/fdtd/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/device/host.hpp"
#include "harness/formats/pgm.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::fdtd {

Grid grid_of(const Problem& problem) {
  return {static_cast<std::size_t>(problem.integer("nx")), static_cast<std::size_t>(problem.integer("ny")),
          static_cast<int>(problem.integer("steps")), problem.string("source") == "point"};
}

float source_in_step(int step) {
  constexpr double wavelength = 20;
  const double time = double{time_step} * step / wavelength - 1;
  const double square = std::numbers::pi * std::numbers::pi * time * time;
  return static_cast<float>((1 - 2 * square) * std::exp(-square));
}

Coefficients coefficients_of(double permittivity, double conductivity) {
  const double loss = conductivity * double{time_step} / (2 * permittivity);
  return {static_cast<float>((1 - loss) / (1 + loss)),
          static_cast<float>(double{time_step} / permittivity / (1 + loss))};
}

std::vector<float> Medium::of_each_cell(float Coefficients::*number) const {
  std::vector<float> numbers(index.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < index.size(); ++i) numbers[i] = materials[index[i]].*number;
  return numbers;
}

namespace {

void require_memory(const Grid& grid) {
  // Fields before and after, the check's in double precision, and the medium.
  require_host_memory(
      fmt::format("fdtd: a grid of {} x {} and its check", grid.nx, grid.ny),
      static_cast<std::uint64_t>(std::min(static_cast<double>(grid.nx) * static_cast<double>(grid.ny) *
                                              (9 * sizeof(float) + 6 * sizeof(double)),
                                          0x1p62)));
}

void enclose(const Grid& grid, Medium& medium) {
  for (std::size_t i = 0; i < grid.nx; ++i) {
    for (std::size_t j = 0; j < grid.ny; j += i == 0 || i + 1 == grid.nx ? 1 : grid.ny - 1)
      medium.index[i * grid.ny + j] = Medium::conductor;
  }
}

Fields random_fields(const Grid& grid, std::uint64_t seed) {
  Fields fields;
  std::uint64_t part = 0;
  for (auto* field : {&fields.ez, &fields.hx, &fields.hy}) {
    field->resize(grid.cells());
    Random(seed_of_part(seed, part++)).fill_uniform(*field, -1, 1);
  }
  for (std::size_t i = 0; i < grid.nx; ++i) {
    for (std::size_t j = 0; j < grid.ny; ++j)
      if (!grid.is_inner(i, j)) fields.ez[i * grid.ny + j] = 0;
  }
  return fields;
}

Medium random_medium(const Grid& grid, double conductivity, std::uint64_t seed) {
  constexpr std::size_t shapes = 30;
  Medium medium;
  medium.index.assign(grid.cells(), 0);
  medium.materials[0] = coefficients_of(1, 0);
  Random random(seed);
  const auto extent = static_cast<std::int64_t>(std::max(grid.nx, grid.ny));
  for (std::size_t shape = 1; shape <= shapes; ++shape) {
    const double permittivity = 1 + 11 * random.uniform01();
    const double loss = conductivity * random.uniform01();
    medium.materials[shape] = coefficients_of(permittivity, shape % 2 == 0 ? loss : 0);
    const auto row = static_cast<std::int64_t>(random.below(grid.nx));
    const auto column = static_cast<std::int64_t>(random.below(grid.ny));
    const auto radius =
        1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(extent / 8 + 1)));
    const bool is_disc = random.below(2) == 0;
    const auto clipped = [](std::int64_t at, std::size_t edge) {
      return static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, static_cast<std::int64_t>(edge)));
    };
    for (std::size_t i = clipped(row - radius, grid.nx); i < clipped(row + radius, grid.nx); ++i) {
      const double away = static_cast<double>(static_cast<std::int64_t>(i) - row);
      const auto half =
          is_disc ? static_cast<std::int64_t>(std::sqrt(static_cast<double>(radius * radius) - away * away))
                  : radius / 2;
      std::uint8_t* cells = medium.index.data() + i * grid.ny;
      std::fill(cells + clipped(column - half, grid.ny), cells + clipped(column + half, grid.ny),
                static_cast<std::uint8_t>(shape));
    }
  }
  enclose(grid, medium);
  return medium;
}

// Grey values become one of 255 levels, in proportion; the last index is the conductor's.
constexpr double largest_level = Medium::conductor - 1;

Medium medium_of(const GreyImage& image, const Grid& grid, double conductivity) {
  Medium medium;
  for (std::size_t level = 0; level < Medium::conductor; ++level) {
    const double share = static_cast<double>(level) / largest_level;
    medium.materials[level] = coefficients_of(1 + 11 * share, conductivity * share);
  }
  medium.index.resize(grid.cells());
  for (std::size_t i = 0; i < grid.cells(); ++i) {
    const double share = static_cast<double>(image.pixels[i]) / static_cast<double>(image.maxval);
    medium.index[i] = static_cast<std::uint8_t>(std::lround(largest_level * share));
  }
  enclose(grid, medium);
  return medium;
}

}  // namespace

std::shared_ptr<const FdtdInput> generate_grid(const Problem& problem, std::uint64_t seed) {
  const Grid grid = grid_of(problem);
  require_memory(grid);
  return std::make_shared<FdtdInput>(grid,
                                     random_medium(grid, problem.real("conductivity"), seed_of_part(seed, 3)),
                                     random_fields(grid, seed));
}

Loaded load_medium(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 1);
  const GreyImage image = read_pgm(files.front());
  ValueMap values = with_found(info.name, request, "nx", image.rows, files.front());
  values = with_found(info.name, values, "ny", image.cols, files.front());
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  const Grid grid = grid_of(problem);
  require_memory(grid);
  Medium medium = medium_of(image, grid, problem.real("conductivity"));
  return {std::move(problem), std::make_shared<FdtdInput>(grid, std::move(medium), random_fields(grid, 1))};
}

}  // namespace dwarfsweep::fdtd

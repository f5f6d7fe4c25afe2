#include "dwarfs/cp/atoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/device/host.hpp"
#include "harness/formats/npy.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::cp {
namespace {

constexpr double least_distance = 0.01;  // from a grid point, in spacings

Grid grid_of(const Problem& problem) {
  return {problem.integer("nx"), problem.integer("ny"), static_cast<float>(problem.real("spacing"))};
}

void require_memory(const Grid& grid, double atoms) {
  require_host_memory(
      fmt::format("cp: a grid of {} x {} points and {:.0f} atoms", grid.nx, grid.ny, atoms),
      static_cast<std::uint64_t>(static_cast<double>(grid.nx) * static_cast<double>(grid.ny) * sizeof(float) +
                                 atoms * 4 * sizeof(float)));
}

// Where an atom is on a grid point the potential is infinite, and close to it little of it is known.
void require_distance(const Grid& grid, std::span<const float> atoms, const std::string& file) {
  for (std::size_t i = 0; 4 * i < atoms.size(); ++i) {
    const std::span<const float> atom = atoms.subspan(4 * i, 4);
    for (const float value : atom) {
      if (std::abs(value) > 1e12F) {
        throw InputError(file, fmt::format("atom {}", i), "coordinates and charges are numbers up to 1e12");
      }
    }
    const auto [dx, dy] = from_nearest_point(grid, atom[0], atom[1]);
    if (std::hypot(dx, dy, static_cast<double>(atom[2])) < least_distance * grid.spacing) {
      throw InputError(
          file, fmt::format("atom {}", i),
          fmt::format("it is nearer to a grid point than {} spacings, where the potential has no bound",
                      least_distance));
    }
  }
}

}  // namespace

std::vector<float> CpInput::in_plane() const {
  std::vector<float> atoms = atoms_;
  for (std::size_t i = 2; i < atoms.size(); i += 4) atoms[i] *= atoms[i];
  return atoms;
}

// One charge in four is negative.
std::shared_ptr<const CpInput> generate_atoms(const Problem& problem, std::uint64_t seed) {
  const Grid grid = grid_of(problem);
  require_memory(grid, problem.real("atoms"));
  std::vector<float> atoms(4 * static_cast<std::size_t>(problem.integer("atoms")));
  Random random(seed);
  random.fill_uniform(atoms, 0, 1);
  const float width = static_cast<float>(grid.nx) * grid.spacing;
  const float height = static_cast<float>(grid.ny) * grid.spacing;
  for (std::size_t i = 0; i < atoms.size(); i += 4) {
    atoms[i] *= width;
    atoms[i + 1] *= height;
    atoms[i + 2] = grid.spacing * (0.5F + 7.5F * atoms[i + 2]);
    atoms[i + 3] = (0.25F + 0.75F * atoms[i + 3]) * (random.below(4) == 0 ? -1.0F : 1.0F);
  }
  return std::make_shared<CpInput>(grid, std::move(atoms));
}

Loaded load_atoms(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 1);
  const std::string& file = files.front();
  NpyFloats array = read_npy_floats(file);
  if (array.shape.size() != 2 || array.shape[1] != 4 || array.values.empty()) {
    throw InputError(file, "", "cp needs an array of floats, of atoms x 4: x, y, z and charge");
  }
  Problem problem = make_problem(info.name, info.keys,
                                 {"file", with_found(info.name, request, "atoms", array.shape[0], file)});
  const Grid grid = grid_of(problem);
  require_memory(grid, problem.real("atoms"));
  require_distance(grid, array.values, file);
  return {std::move(problem), std::make_shared<CpInput>(grid, std::move(array.values))};
}

}  // namespace dwarfsweep::cp

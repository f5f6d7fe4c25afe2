#include "dwarfs/rpes/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/device/host.hpp"
#include "harness/formats/molecule.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::rpes {
namespace {

constexpr double bohr_of_angstrom = 1 / 0.529177210903;

// The number of the pair (i, j) with i >= j.
std::int64_t pair_number(std::int64_t i, std::int64_t j) {
  return i * (i + 1) / 2 + j;
}

void require_memory(std::int64_t atoms) {
  // The integrals as expected by their atoms and as found.
  const double pairs = static_cast<double>(atoms) * static_cast<double>(atoms + 1) / 2;
  require_host_memory(
      fmt::format("rpes: the integrals of {} atoms", atoms),
      static_cast<std::uint64_t>(pairs * (pairs + 1) / 2 * (sizeof(Quartet) + sizeof(float))));
}

// The coefficient of a normalised primitive is that of exp(-a r^2) times (2 a / pi)^(3/4).
std::vector<float> unnormalised(const Basis& basis) {
  std::vector<float> coefficients;
  for (std::size_t s = 0; s < basis.exponents.size(); ++s)
    coefficients.push_back(static_cast<float>(basis.coefficients[s] *
                                              std::pow(2 * basis.exponents[s] / std::numbers::pi, 0.75)));
  return coefficients;
}

// Hydrogen in STO-3G (W. J. Hehre, R. F. Stewart, J. A. Pople, J. Chem. Phys. 51, 1969); of other lengths,
// exponents three apart with equal weights, which is no basis of chemistry.
Basis generated_basis(std::int64_t primitives) {
  if (primitives == 3)
    return {{3.42525091F, 0.62391373F, 0.16885540F}, {0.15432897F, 0.53532814F, 0.44463454F}};
  Basis basis;
  for (std::int64_t s = 0; s < primitives; ++s) {
    basis.exponents.push_back(
        static_cast<float>(0.15 * std::pow(3.0, static_cast<double>(primitives - 1 - s))));
    basis.coefficients.push_back(1 / static_cast<float>(primitives));
  }
  return basis;
}

}  // namespace

Quartets::Quartets(std::int64_t atoms, bool ordered) {
  for (std::int32_t i = 0; i < atoms; ++i)
    for (std::int32_t j = 0; j <= i; ++j) atoms_of_.push_back({i, j});
  starts_.push_back(0);
  for (const auto& [i, j] : atoms_of_) {
    // Columns kl up to (i, j), or to (j, j).
    const std::int64_t columns = pair_number(ordered ? j : i, j) + 1;
    starts_.push_back(starts_.back() + static_cast<std::uint32_t>(columns));
  }
}

Quartet Quartets::operator[](std::size_t index) const {
  const auto behind = std::upper_bound(starts_.begin(), starts_.end(), index);
  const auto row = static_cast<std::size_t>(behind - starts_.begin()) - 1;
  const auto& [i, j] = atoms_of_[row];
  const auto& [k, l] = atoms_of_[index - starts_[row]];
  return {i, j, k, l};
}

std::vector<std::int32_t> Quartets::list() const {
  std::vector<std::int32_t> list(4 * count());
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < pairs(); ++row) {
    for (std::size_t index = starts_[row]; index < starts_[row + 1]; ++index) {
      const auto& bra = atoms_of_[row];
      const auto& ket = atoms_of_[index - starts_[row]];
      std::copy(bra.begin(), bra.end(), list.begin() + static_cast<std::ptrdiff_t>(4 * index));
      std::copy(ket.begin(), ket.end(), list.begin() + static_cast<std::ptrdiff_t>(4 * index + 2));
    }
  }
  return list;
}

RpesInput::RpesInput(std::vector<float> centres, std::vector<float> exponents,
                     std::vector<float> coefficients, bool ordered)
    : centres_(std::move(centres)),
      exponents_(std::move(exponents)),
      coefficients_(std::move(coefficients)),
      quartets_(static_cast<std::int64_t>(centres_.size() / 3), ordered) {}

std::size_t RpesInput::terms() const {
  const std::size_t primitives = exponents_.size();
  return primitives * primitives * primitives * primitives;
}

// 1.4 Bohr radii apart, the bond length of H2, and moved by up to a fifth of that.
std::shared_ptr<const RpesInput> generate_atoms(const Problem& problem, std::uint64_t seed) {
  constexpr double spacing = 1.4;
  const std::int64_t atoms = problem.integer("atoms");
  require_memory(atoms);
  std::int64_t edge = 1;
  while (edge * edge * edge < atoms) ++edge;
  if (problem.string("geometry") == "chain") edge = atoms;
  std::vector<float> centres(3 * static_cast<std::size_t>(atoms));
  Random(seed).fill_uniform(centres, -0.2F, 0.2F);
  for (std::int64_t atom = 0; atom < atoms; ++atom) {
    const std::int64_t place[] = {atom % edge, atom / edge % edge, atom / edge / edge};
    for (std::int64_t axis = 0; axis < 3; ++axis) {
      float& x = centres[static_cast<std::size_t>(3 * atom + axis)];
      x = static_cast<float>(spacing * (static_cast<double>(place[axis]) + x));
    }
  }
  const Basis basis = generated_basis(problem.integer("primitives"));
  return std::make_shared<RpesInput>(std::move(centres), basis.exponents, unnormalised(basis),
                                     problem.string("quartets") == "ordered");
}

Loaded load_molecule(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 2);
  std::vector<float> centres = read_xyz(files[0]);
  const Basis basis = read_basis(files[1]);
  ValueMap values =
      with_found(info.name, request, "atoms", static_cast<std::int64_t>(centres.size() / 3), files[0]);
  values = with_found(info.name, values, "primitives", static_cast<std::int64_t>(basis.exponents.size()),
                      files[1]);
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  require_memory(problem.integer("atoms"));
  for (float& coordinate : centres) coordinate = static_cast<float>(coordinate * bohr_of_angstrom);
  const bool ordered = problem.string("quartets") == "ordered";
  return {std::move(problem),
          std::make_shared<RpesInput>(std::move(centres), basis.exponents, unnormalised(basis), ordered)};
}

}  // namespace dwarfsweep::rpes

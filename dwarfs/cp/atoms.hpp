// What cp sums over: the charges, and the grid on which their potential is wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/cp/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::cp {

class CpInput final : public Input {
 public:
  CpInput(const Grid& grid, std::vector<float> atoms)
      : grid_(grid), atoms_(std::move(atoms)), verifier_(grid_, atoms_) {}

  [[nodiscard]] const Grid& grid() const { return grid_; }
  /// x, y, z and charge of one after the other.
  [[nodiscard]] const std::vector<float>& atoms() const { return atoms_; }
  [[nodiscard]] std::size_t count() const { return atoms_.size() / 4; }
  /// The atoms as the kernels read them: x, y, z squared, charge.
  [[nodiscard]] std::vector<float> in_plane() const;
  /// `root_error` bounds the relative error of the reciprocal square roots.
  [[nodiscard]] Check check(std::span<const float> potential, double root_error) const {
    return verifier_.check(potential, root_error);
  }

 private:
  Grid grid_;
  std::vector<float> atoms_;
  Verifier verifier_;
};

/// Atoms above the grid, at random, half a spacing to eight of them away from it. Throws PointFailure.
std::shared_ptr<const CpInput> generate_atoms(const Problem& problem, std::uint64_t seed);

/// Reads atoms as info.input_formats says. Throws UsageError, InputError.
Loaded load_atoms(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::cp

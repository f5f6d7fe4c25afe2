// The atoms of cp, the grid around them, and the check of its potentials.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::cp {

/// Point (column, row) lies at (column * spacing, row * spacing, 0).
struct Grid {
  std::int64_t nx = 0, ny = 0;
  float spacing = 0;

  [[nodiscard]] std::size_t points() const { return static_cast<std::size_t>(nx * ny); }
};

/// The distances dx and dy of a place in the plane from the grid's nearest point.
std::pair<double, double> from_nearest_point(const Grid& grid, double x, double y);

class Verifier {
 public:
  /// The atoms, four numbers each, must outlive the verifier.
  Verifier(const Grid& grid, const std::vector<float>& atoms) : grid_(grid), atoms_(atoms) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// The reported error and tolerance are those of the point that is furthest off, measured by its tolerance.
  [[nodiscard]] Check check(std::span<const float> potential, double root_error) const;

 private:
  /// Sums over the atoms, in double precision.
  struct Sum {
    std::int64_t column = 0, row = 0;
    double value = 0;      // q / d
    double magnitude = 0;  // |q| / d
    double displaced = 0;  // |q| / d * (|dx| |x| + |dy| |y|) / (d d)
    double nearest = 0;    // the largest (|dx| |x| + |dy| |y|) / (d d)
  };

  void prepare() const;
  void choose_points() const;
  void add_atoms(Sum& sum) const;
  [[nodiscard]] double tolerance_of(const Sum& sum, double root_error) const;

  const Grid grid_;
  const std::vector<float>& atoms_;
  mutable std::once_flag prepared_;
  mutable std::vector<Sum> sums_;
};

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

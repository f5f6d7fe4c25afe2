// The check of a potential. Shares no code with the kernels or with the host version.
//
// At some points the sum is done again in double precision: at the corners, at those nearest to the first,
// the last and some other atoms (whose loss shows most there), and at random ones; of a small problem at all.
// Everywhere else the result must be finite.
//
// Bound. u = 2^-24 is the unit roundoff of float, gamma_k = k u / (1 - k u). A grid point's coordinate is
// rounded once, its difference from an atom's once more, so that dx is off by at most u (|x| + |dx|); z z is
// rounded once, squares and their sum four times. The squared distance d d then has a relative error of
//   2 u (|dx| |x| + |dy| |y|) / (d d) + 7 u,
// of which the root has half. To it come the root's own error, which depends on how it is computed, and the
// product with the charge, u: a term |q| / d is off by the relative error
//   e = root + 4.5 u + u (|dx| |x| + |dy| |y|) / (d d),   divided by 1 - e for what is of higher order.
// The sum of k terms in any order, with or without fused multiply-add, adds gamma_k of the sum of |q| / d
// (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 4.2), and what is flushed to zero
// 2^-126 for each term. k counts the sums of the launches as well.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "harness/run/case.hpp"

namespace dwarfsweep::cp {

/// Point (column, row) lies at (column * spacing, row * spacing, 0).
struct Grid {
  std::int64_t nx = 0, ny = 0;
  float spacing = 0;

  [[nodiscard]] std::size_t points() const { return static_cast<std::size_t>(nx * ny); }
};

/// Of a place in the plane, from the grid's nearest point: dx and dy.
std::pair<double, double> from_nearest_point(const Grid& grid, double x, double y);

class Verifier {
 public:
  /// The atoms, four numbers each, must outlive the verifier.
  Verifier(const Grid& grid, const std::vector<float>& atoms) : grid_(grid), atoms_(atoms) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// The error and tolerance told are those of the point that is furthest off, measured by its tolerance.
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

}  // namespace dwarfsweep::cp

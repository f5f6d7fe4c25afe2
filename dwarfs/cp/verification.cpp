// The check of a potential. Shares no code with the kernels or with the host version.
//
// At some points the sum is done again in double precision: at the corners, at those nearest to the first,
// the last and some other atoms (whose loss shows most there), and at random ones; of a small problem at all.
// Everywhere else the result must be finite.
//
// Bound. u = 2^-24 is the unit roundoff of float, gamma_k bounds k roundings (roundoff.hpp). A grid point's
// coordinate is rounded once, its difference from an atom's once more, so that dx is off by at most u (|x| +
// |dx|); z z is rounded once, squares and their sum four times. The squared distance d d then has a relative
// error of
//   2 u (|dx| |x| + |dy| |y|) / (d d) + 7 u,
// and the root has half of it. In addition there are the root's own error, which depends on how it is
// computed, and the product with the charge, u: a term |q| / d is off by the relative error
//   e = root + 4.5 u + u (|dx| |x| + |dy| |y|) / (d d),   divided by 1 - e for what is of higher order.
// The sum of k terms in any order, with or without fused multiply-add, adds gamma_k of the sum of |q| / d
// (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 4.2), and what is flushed to zero
// 2^-126 for each term. k counts the sums of the launches as well.
#include "dwarfs/cp/atoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "dwarfs/roundoff.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::cp {
namespace {

constexpr double unit = unit_roundoff;
constexpr double most_pairs = 0x1p22;  // with at most this many pairs, all points are compared
constexpr std::size_t sampled_points = 400;
constexpr std::size_t sampled_atoms = 32;

std::int64_t nearest(double place, float spacing, std::int64_t count) {
  const double index = std::round(place / spacing);
  return static_cast<std::int64_t>(std::clamp(index, 0.0, static_cast<double>(count - 1)));
}

}  // namespace

std::pair<double, double> from_nearest_point(const Grid& grid, double x, double y) {
  return {x - static_cast<double>(nearest(x, grid.spacing, grid.nx)) * grid.spacing,
          y - static_cast<double>(nearest(y, grid.spacing, grid.ny)) * grid.spacing};
}

void Verifier::choose_points() const {
  const std::size_t atoms = atoms_.size() / 4;
  const auto add = [&](std::int64_t column, std::int64_t row) {
    Sum sum;
    sum.column = column;
    sum.row = row;
    sums_.push_back(sum);
  };
  if (static_cast<double>(grid_.points()) * static_cast<double>(atoms) <= most_pairs) {
    for (std::int64_t row = 0; row < grid_.ny; ++row)
      for (std::int64_t column = 0; column < grid_.nx; ++column) add(column, row);
    return;
  }
  for (const std::int64_t row : {std::int64_t{0}, grid_.ny - 1})
    for (const std::int64_t column : {std::int64_t{0}, grid_.nx - 1}) add(column, row);
  Random random(seed_of_part(grid_.points(), atoms));
  for (std::size_t i = 0; i < sampled_atoms; ++i) {
    const std::size_t atom = i == 0 ? 0 : i == 1 ? atoms - 1 : static_cast<std::size_t>(random.below(atoms));
    add(nearest(atoms_[4 * atom], grid_.spacing, grid_.nx),
        nearest(atoms_[4 * atom + 1], grid_.spacing, grid_.ny));
  }
  while (sums_.size() < sampled_points) {
    add(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(grid_.nx))),
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(grid_.ny))));
  }
}

void Verifier::add_atoms(Sum& sum) const {
  const double x = static_cast<double>(sum.column) * grid_.spacing;
  const double y = static_cast<double>(sum.row) * grid_.spacing;
  for (std::size_t i = 0; i < atoms_.size(); i += 4) {
    const double dx = x - atoms_[i];
    const double dy = y - atoms_[i + 1];
    const double dz = atoms_[i + 2];
    const double square = dx * dx + dy * dy + dz * dz;
    const double term = atoms_[i + 3] / std::sqrt(square);
    const double displacement = (std::abs(dx * x) + std::abs(dy * y)) / square;
    sum.value += term;
    sum.magnitude += std::abs(term);
    sum.displaced += std::abs(term) * displacement;
    sum.nearest = std::max(sum.nearest, displacement);
  }
}

void Verifier::prepare() const {
  choose_points();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < sums_.size(); ++i) add_atoms(sums_[i]);
}

double Verifier::tolerance_of(const Sum& sum, double root_error) const {
  const double terms = static_cast<double>(atoms_.size()) / 4 * (1 + 0x1p-8) + 2;
  const double relative = root_error + 4.5 * unit;
  const double largest = relative + unit * sum.nearest;
  if (largest >= 0.5) return std::numeric_limits<double>::infinity();
  return (relative * sum.magnitude + unit * sum.displaced) / (1 - largest) +
         rounding_bound(terms) * sum.magnitude + 2 * terms * FLT_MIN;
}

Check Verifier::check(std::span<const float> potential, double root_error) const {
  std::call_once(prepared_, [this] { prepare(); });
  Check check;
  check.ok = true;
  double worst = -1;  // error in units of its tolerance
  for (const Sum& sum : sums_) {
    const double found = potential[static_cast<std::size_t>(sum.row * grid_.nx + sum.column)];
    const double tolerance = tolerance_of(sum, root_error);
    const double error = std::abs(found - sum.value);
    if (!(error / tolerance <= worst)) {
      worst = error / tolerance;
      check.max_error = error;
      check.tolerance = tolerance;
    }
    if (!(error <= tolerance)) {  // NaN fails
      check.ok = false;
      check.message = fmt::format("potential[{}][{}] is {}, wanted {} within {}", sum.row, sum.column, found,
                                  sum.value, tolerance);
      return check;
    }
  }
  const auto bad =
      std::find_if(potential.begin(), potential.end(), [](float value) { return !std::isfinite(value); });
  if (bad != potential.end()) {
    const auto at = static_cast<std::int64_t>(bad - potential.begin());
    check.ok = false;
    check.message = fmt::format("potential[{}][{}] is {}", at / grid_.nx, at % grid_.nx, *bad);
  }
  return check;
}

}  // namespace dwarfsweep::cp

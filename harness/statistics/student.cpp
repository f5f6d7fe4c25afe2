#include "harness/statistics/student.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace dwarfsweep {

double student_factor(double degrees_of_freedom, double confidence) {
  // With f degrees of freedom, P(|T| <= sqrt(f) tan(a)) is the integral of cos^(f - 1) from 0 to a over that
  // from 0 to pi/2. Both by midpoint sums.
  constexpr int intervals = 500;
  constexpr double step = 0.5 * std::numbers::pi / intervals;
  std::vector<double> cumulative(intervals + 1, 0.0);
  for (int i = 0; i < intervals; ++i) {
    cumulative[i + 1] = cumulative[i] + std::pow(std::cos((i + 0.5) * step), degrees_of_freedom - 1.0);
  }
  const double target = confidence * cumulative.back();
  const auto above = std::lower_bound(cumulative.begin() + 1, cumulative.end(), target);
  const double below = *(above - 1);
  const double nodes =
      static_cast<double>(above - cumulative.begin()) - 1.0 + (target - below) / (*above - below);
  return std::sqrt(degrees_of_freedom) * std::tan(nodes * step);
}

}  // namespace dwarfsweep

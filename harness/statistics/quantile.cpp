#include "harness/statistics/quantile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace dwarfsweep {

double quantile_of_sorted(std::span<const double> sorted, double probability) {
  if (!(probability >= 0.0 && probability <= 1.0)) {
    throw std::invalid_argument(
        fmt::format("quantile probability is {}, it must lie in 0 to 1", probability));
  }
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double position = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

double quantile(std::span<const double> values, double probability) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, probability);
}

double median(std::span<const double> values) {
  return quantile(values, 0.5);
}

}  // namespace dwarfsweep

// Quantiles of a set of values, in the unit of the values.
#pragma once

#include <span>

namespace dwarfsweep {

/// Hyndman and Fan's type 7 (the default of R and NumPy; "Sample quantiles in statistical packages", The
/// American Statistician 50, 1996): for n sorted values the quantile at `probability` p is the value at
/// position p (n - 1), counted from 0, with linear interpolation between neighbours. NaN for no values.
/// Throws std::invalid_argument for a probability outside [0, 1].
double quantile(std::span<const double> values, double probability);
/// The same for values that are sorted already.
double quantile_of_sorted(std::span<const double> sorted, double probability);
/// The quantile at 1/2: of an even number of values, the mean of the two in the middle.
double median(std::span<const double> values);

}  // namespace dwarfsweep

// Quantiles, and intervals for medians that keep their word from three values on. interval.cpp has the
// derivation and the measured coverage.
#pragma once

#include <span>

namespace dwarfsweep {

/// The probability that an interval made from a fixed number of values covers the truth.
inline constexpr double default_confidence = 0.95;

struct Interval {
  double low;
  double high;
};

/// Hyndman and Fan's type 7 (the default of R and NumPy): for n sorted values the quantile at `probability` p
/// is the value at position p (n - 1), counted from 0, and a straight line between neighbours. Not a number
/// if empty.
double quantile(std::span<const double> values, double probability);
/// The same without sorting once more.
double quantile_of_sorted(std::span<const double> sorted, double probability);
double median(std::span<const double> values);

/// For the median of the distribution that `values` were drawn from, each on its own. Infinite for fewer than
/// two values; holds `median(values)`. `confidence` lies in [0.5, 1), else std::invalid_argument.
Interval median_interval(std::span<const double> values, double confidence = default_confidence);

/// For the median behind `a` less the median behind `b`. Infinite if either has fewer than two values; holds
/// `median(a) - median(b)`.
Interval median_difference_interval(std::span<const double> a, std::span<const double> b,
                                    double confidence = default_confidence);

}  // namespace dwarfsweep

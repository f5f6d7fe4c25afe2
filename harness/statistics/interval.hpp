// Confidence intervals for medians whose coverage is nominal from three values on. interval.cpp has the
// derivation and the measured coverage.
#pragma once

#include <span>

namespace dwarfsweep {

/// The probability that an interval made from a fixed number of values covers the true median.
inline constexpr double default_confidence = 0.95;

/// In the unit of the values.
struct Interval {
  double low;
  double high;
};

/// For the median of the distribution from which `values` are independent draws. Contains `median(values)`.
/// Infinite for fewer than two values. Throws std::invalid_argument unless `confidence` is in [0.5, 1).
Interval median_interval(std::span<const double> values, double confidence = default_confidence);

/// For the median of a's distribution minus that of b's. Contains `median(a) - median(b)`. Infinite if either
/// has fewer than two values. Throws as `median_interval`.
Interval median_difference_interval(std::span<const double> a, std::span<const double> b,
                                    double confidence = default_confidence);

}  // namespace dwarfsweep

// What random search finds, exactly: no draws, so no error. A search draws distinct points uniformly; failed
// ones count as draws.
#pragma once

#include <cstddef>
#include <vector>

namespace dwarfsweep {

/// Of a space with `points` points, of which those that did not fail have these times, ascending.
class RandomSearch {
 public:
  RandomSearch(const std::vector<double>& sorted_times, std::size_t points)
      : times_(sorted_times), points_(points) {}

  /// The expected best time of `draws` draws. While nothing but failures was drawn, the best is the slowest
  /// time there is.
  [[nodiscard]] double expected_best(std::size_t draws) const;
  /// The median of the best time of `draws` draws, by the same rule.
  [[nodiscard]] double median_best(std::size_t draws) const;
  /// The probability that the best of `draws` draws takes at most `time`.
  [[nodiscard]] double probability_within(double time, std::size_t draws) const;

 private:
  const std::vector<double>& times_;
  std::size_t points_;
};

}  // namespace dwarfsweep

// Random search, the yardstick of all other strategies: its points, and what it finds.
#pragma once

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// Legal points in the order in which random search would measure them, each once. The same space and seed
/// give the same points, whatever else is measured meanwhile.
class ControlSample {
 public:
  /// The space outlives the sample.
  ControlSample(const SearchSpace& space, std::uint64_t seed);
  /// None: all points that could be found were drawn.
  std::optional<PointNumber> next();

 private:
  const SearchSpace& space_;
  Random random_;
  std::unordered_set<PointNumber> drawn_;
};

/// The exact expectation of random search: nothing is drawn, so there is no sampling error. A search draws
/// distinct points uniformly; failed ones count as draws. The space has `points` points; those that did not
/// fail have these times, ascending.
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

// Uniform draws from a space, for comparing a strategy with random search where not all points are measured.
#pragma once

#include <unordered_set>

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

}  // namespace dwarfsweep

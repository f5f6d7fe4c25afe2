// Carving of recorded spaces against random search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suite/search/recorded_space.hpp"

namespace dwarfsweep {

/// Random search with as much of something as carving had.
struct CarveComparison {
  std::string with;        ///< "as many measured", "as many compiled", "the same seconds"
  std::size_t points = 0;  ///< that random search measures for it
  double probability = 0;  ///< that its best is at least as good as the best of those kept
};

struct CarveReport {
  std::string space;
  std::size_t legal = 0;  ///< points of the space
  std::size_t pool = 0;   ///< points that were looked at: those that have metrics
  std::size_t kept = 0;
  bool by_efficiency_alone = false;
  std::optional<double> best_kept_over_best;  ///< none: all that were kept failed
  std::optional<double> seconds;              ///< none where the space has no costs
  std::vector<CarveComparison> comparisons;
};

/// The probabilities are exact: of points drawn without replacement, one of the fastest is among them.
/// Carving compiles (and where it was recorded, counts) the whole pool and measures what it keeps; random
/// search compiles and measures each of its points, at their mean cost. A point that has not been kept may
/// still be as good as the best of those.
CarveReport report_carving(const RecordedSpace& space, std::uint64_t seed);

std::string to_text(const std::vector<CarveReport>& reports);

}  // namespace dwarfsweep

// Optimisation carving: of a pool of points, those are kept that are worth measuring by two metrics that need
// no measurement.
#pragma once

#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

struct Carving {
  /// The points of the pool that have metrics, in the order in which they are worth measuring: the Pareto
  /// front of efficiency and utilisation, then the front of what is left, and so on; each by efficiency.
  std::vector<PointNumber> order;
  /// So many of them are kept: the front.
  std::size_t kept = 0;
  /// No point has a utilisation, as on CPUs: the order is by efficiency, and of one metric there is no front
  /// but its maximum. Kept is the share of SearchParameters::carved_share, and what equals the last of it.
  bool by_efficiency_alone = false;
};

/// Where some points of the pool have a utilisation, those without are left out. A point is dominated by one
/// that is not worse in either metric and better in one.
Carving carve(const SearchSpace& space, const std::vector<PointNumber>& pool);

/// The points that carving looks at: all legal ones, or where these are more than
/// SearchParameters::carved_pool, so many uniformly drawn.
std::vector<PointNumber> carve_pool(const SearchSpace& space, std::uint64_t seed);

}  // namespace dwarfsweep

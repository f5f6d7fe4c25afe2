// In which order the points of a group are measured: what tells most goes first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dwarfsweep {

struct SweepPoint;

/// Indices of points. Those that cannot run are in neither list.
struct PointOrder {
  std::vector<std::size_t> first;  ///< the baseline, and the default configuration of every variant
  std::vector<std::size_t> rest;
};

/// `points` of a group: the baseline first, and of each variant its default configuration first; where that
/// cannot run, the next that can. The rest is sorted by variant and by the axes that differ from the
/// variant's default; of these lists, in random order, one point each in turn: a small budget leaves out no
/// axis. The same `seed` gives the same order.
PointOrder order_points(const std::vector<SweepPoint>& points, std::uint64_t seed);

}  // namespace dwarfsweep

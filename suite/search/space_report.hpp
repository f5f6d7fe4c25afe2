// What a recorded space cost, how hard it is to search, and how carving compares with random search there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "suite/record/record.hpp"
#include "suite/search/recorded_space.hpp"

namespace dwarfsweep {

/// Where hill climbing along one axis at a time ends: at a point that no other value of any one of its axes,
/// and no other variant's default, improves on. Each step goes to the best of these.
struct Climb {
  PointNumber end = 0;
  std::size_t steps = 0;
  double over_best = 1;  ///< the time there over the best there is
};

struct SpaceReport {
  std::string space;
  std::size_t points = 0, failed = 0, within_2_percent = 0;
  /// How many points random search draws until the best is expected to be this near, as in table 5 of the
  /// paper on carving: its time is 1 / 0.9, 1 / 0.95 of the best.
  std::size_t draws_for_90_percent = 0, draws_for_95_percent = 0;
  /// What random search is expected to find, over the best: by the share of the points that it draws, as
  /// figure 6 there.
  std::vector<std::pair<double, double>> random_curve;
  double worst_over_best = 1;
  std::optional<double> seconds;  ///< to build, verify and measure all of it; none where it was not recorded
  std::optional<Climb> from_first;  ///< from the first row, the baseline of our spaces; none: it failed
  std::string stuck_at;         ///< what differs there from the best point: "unroll=1 (8)"; empty: nothing
  std::size_t ends = 0;         ///< points where climbing ends
  double stuck = 0;             ///< share of the starts from which it ends more than 2 % above the best
  double median_over_best = 1;  ///< over all starts
};

/// Starts are all points that have a time.
SpaceReport report_space(const RecordedSpace& space);

std::string to_text(const std::vector<SpaceReport>& reports);

struct CarveReport {
  std::string space;
  std::size_t legal = 0;  ///< points of the space
  std::size_t pool = 0;   ///< points that were looked at: those that have metrics
  std::size_t kept = 0;
  bool by_efficiency_alone = false;
  /// How far apart the times of points are at most that both metrics count as equal: the longest over the
  /// shortest. None where no two are equal.
  std::optional<double> equal_within;
  std::optional<double> best_kept_over_best;  ///< none: all that were kept failed
  double random_over_best = 1;    ///< what as many random points are expected to find (the paper's table 5)
  std::optional<double> seconds;  ///< none where the space has no costs
  std::vector<CarvingRow> comparisons;
};

/// The probabilities are exact: of points drawn without replacement, one of the fastest is among them.
/// Carving compiles (and where it was recorded, counts) the whole pool and measures what it keeps; random
/// search compiles and measures each of its points, at their mean cost. A point that has not been kept may
/// still be as good as the best of those.
CarveReport report_carving(const RecordedSpace& space, std::uint64_t seed);

std::string to_text(const std::vector<CarveReport>& reports);

}  // namespace dwarfsweep

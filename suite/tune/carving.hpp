// Carving on a device: Oclgrind counts what the points of a pool execute, and the device's compiler reports
// what they need, before anything is measured. Afterwards: how that compares with random search.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "suite/record/record.hpp"
#include "suite/tune/search_group.hpp"

namespace dwarfsweep {

/// Throws UsageError if Oclgrind is not installed.
void require_counter();

/// Takes the known counts of the points of the pool, and counts the others in random order, at size tiny, in
/// as many processes as there are cores, until `limit` is over or all are known; then compiles those for a
/// device that reports their registers, for at most half as long. Says how many. Points that are illegal
/// there or take too long are not counted. Throws Interrupted.
std::vector<CountedPoint> count_pool(SearchGroup& searched, const Options& options, std::uint64_t seed,
                                     std::chrono::milliseconds limit);

/// Efficiency, and utilisation if registers are known, with resident groups by the limits of the device's
/// compute capability; of 9.0 where these are not known.
void set_metrics(SearchGroup& searched, const std::vector<CountedPoint>& counted);

/// What became of the points of a search, by their numbers.
using Evaluated = std::unordered_map<PointNumber, const EvaluationRecord*>;

/// `search`: by the strategy carve, with its metrics set in `space`. The probabilities are exact for draws
/// from the random points that the search has measured in turn with its own; these say as much about the
/// whole space as that number of points can. If random search would have more points than were measured, it
/// has these, and does at least as well.
CarvingRecord compare_carving(const SearchSpace& space, const SearchRecord& search,
                              const Evaluated& evaluated);

/// Counted instructions that are kept, because counting takes seconds for a point. They are the same for
/// every device: of code that no device's compiler has seen, at a problem that does not depend on the
/// searched one's size.
///
/// A file in the folder of built programs, a line of JSON for each point. Several processes may use one at
/// the same time; a line that another has not finished, or that was damaged, counts as none.
class KnownCounts {
 public:
  /// Of the embedded kernels of this version. An empty `folder` keeps nothing. `problem`: at which the points
  /// are counted.
  KnownCounts(const std::filesystem::path& folder, const std::string& dwarf, const std::string& problem);

  [[nodiscard]] std::optional<CountedPoint> find(const std::string& config) const;
  void add(const CountedPoint& point);

 private:
  std::filesystem::path file_;  // empty: none
  std::map<std::string, CountedPoint> points_;
};

}  // namespace dwarfsweep

// `tune` on devices: a search for each device, dwarf and problem, all in one run. The searches run one after
// the other, but on devices that share nothing at the same time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/sweep/staged_run.hpp"
#include "suite/tune/search_group.hpp"

namespace dwarfsweep {

/// What one search may use.
struct SearchShare {
  std::size_t evaluations = 0;        ///< 0: no limit
  std::chrono::milliseconds time{0};  ///< in this sitting; 0: no limit
  bool extends = false;               ///< a search that has ended continues if it has not used this up
};

/// One search, from where the log ends to its answer. `client`: of the group's device, which is open. Throws
/// Interrupted, and UsageError if the log is of another search.
void search_device(SweepContext& context, BuildAhead& builds, DeviceClient& client, SearchGroup& searched,
                   const SearchShare& share);

/// Searches that are made one after the other.
class SearchQueue : public RunQueue {
 public:
  using RunQueue::RunQueue;
  void search(SearchGroup& searched, SearchShare share);
};

class Tuning : public StagedRun<SearchQueue> {
 public:
  /// As StagedRun. `options.budget` is for all searches together.
  Tuning(const Options& options, const std::filesystem::path& folder, RunLog log);

  /// Does what is left of all searches, each in its share of the time. `extends`: those that have ended
  /// continue, too, if the limits allow more than then. Returns early when interrupted.
  void run(std::vector<SearchGroup>& searches, bool extends);

 private:
  /// `later`: how many searches come after the stage, one after the other.
  void run_stage(std::vector<SearchGroup>& searches, const Stage& stage, std::size_t later, bool extends);
  /// Of a search, where it and what comes after it are so many.
  [[nodiscard]] SearchShare share_of(std::size_t searches_left, bool extends) const;
  void log_points();
};

/// What the searches in the log have used so far, in all sittings.
double seconds_used(const RunLog& log);

/// Throws UsageError naming a device that does not report its energy.
void require_meters(const std::vector<DeviceInfo>& devices, const std::string& objective);

}  // namespace dwarfsweep

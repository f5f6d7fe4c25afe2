// `tune` on devices: a search for each device, dwarf and problem, one after the other, in one run.
#pragma once

#include <filesystem>

#include "suite/sweep/sweep_devices.hpp"
#include "suite/tune/device_search.hpp"

namespace dwarfsweep {

class Tuning {
 public:
  /// Writes into `folder`, continuing `log` where that holds a run already. `options.budget` is for all
  /// searches together. Throws UsageError where another process writes there.
  Tuning(const Options& options, const std::filesystem::path& folder, RunLog log);

  /// As Sweep::choose_sizes. `groups`: planned at any size, with what a sweep would measure.
  void choose_sizes(const std::vector<SweepGroup>& groups);
  /// Does what is left of all searches, each in its share of the time. `extends`: those that have ended go
  /// on, too, where the limits allow more than then. Returns early when interrupted.
  void run(std::vector<SearchGroup>& searches, bool extends);
  [[nodiscard]] const RunLog& log() const { return log_.run(); }
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }

 private:
  void log_points();
  void search(SearchGroup& searched, const SearchShare& share);

  Options options_;
  SweepLog log_;
  TimeBudget budget_;
  Progress progress_;
  VariantFailures failures_;
  PointOutcomes outcomes_;
  BuildAhead builds_;
  SweepContext context_;
  SweepDevices devices_;
  bool interrupted_ = false;
};

/// What the searches in the log have used so far, in all sittings.
double seconds_used(const RunLog& log);

}  // namespace dwarfsweep

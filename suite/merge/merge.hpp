// One run of many: of the shards of a plan, or of the same plan on many machines.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// What was merged, collected host by host, and what it lacks of its plan.
class MergeReport {
 public:
  /// A part of the merged run.
  void add(const RunLog& part);
  /// What another one has collected.
  void add(const MergeReport& other);
  /// A folder without a run in it.
  void add_empty(const std::string& folder) { empty_.push_back(folder); }

  /// "6 runs on 3 hosts merged", and a line for each run and each shard that is not whole: which points it
  /// lacks.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  struct Run {
    std::string shard, host;
    std::int64_t planned = -1, ended = 0;
  };
  [[nodiscard]] std::vector<std::string> missing_shards() const;

  std::map<std::string, Run> runs_;  // by id
  std::set<std::string> hosts_;
  /// The shards that are there, by kind of devices and number of shards: each kind has the whole plan.
  std::map<std::pair<std::string, int>, std::set<int>> shards_;
  std::vector<std::string> empty_;
};

/// Merges the runs into the folder `out`, which is seen under its name only once it is complete. It is an
/// ordinary run: a part for each host (merge_inputs.hpp), with all files made from the log. Few hosts are in
/// memory at a time. Throws UsageError if the runs are not of one plan, and if `out` holds anything;
/// Interrupted if interrupted.
MergeReport merge_runs(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& out);

}  // namespace dwarfsweep

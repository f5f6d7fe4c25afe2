// What a merged run lacks of its plan.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Collects, host by host, what was merged.
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

}  // namespace dwarfsweep

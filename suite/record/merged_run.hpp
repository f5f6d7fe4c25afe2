// What a merged run remembers of the runs that it was made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace dwarfsweep {

/// A run, or what one host measured of it: a run that went on elsewhere is there once for each host.
struct MergedRun {
  std::string run_id;
  std::string shard;          ///< "2/6"; empty where it had the whole plan
  std::int64_t planned = -1;  ///< points, baselines included; -1: killed before that was known
  std::size_t ended = 0;      ///< points that have come to their end here, left out by the budget or not
  friend bool operator==(const MergedRun&, const MergedRun&) = default;
};

/// Behind the id of a run that was made of several.
inline constexpr const char* merged_suffix = "-merged";

}  // namespace dwarfsweep

// One run of many: of the shards of a plan, or of the same plan on many machines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/merge/merge_missing.hpp"

namespace dwarfsweep {

/// Merges the runs into the folder `out`, which is seen under its name only once it is complete. It is an
/// ordinary run: a part for each host (merge_host.hpp), with all files made from the log. Few hosts are in
/// memory at a time. Throws UsageError where the runs are not of one plan, and where `out` has something in
/// it.
MergeReport merge_runs(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& out);

}  // namespace dwarfsweep

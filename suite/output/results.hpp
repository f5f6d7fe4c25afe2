// The files of a run, all made from its log: run.json, measurements.csv, samples.csv, speedups.csv,
// tables.md, and trace.csv where it has searched.
#pragma once

#include <filesystem>

#include "suite/record/json_fwd.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Writes all into `folder`, each under a temporary name first and then renamed, so that no reader ever
/// sees an incomplete file. tables.md is made from the measurements.csv just written and from
/// find_published(). Throws std::runtime_error naming file and reason.
void write_results(const std::filesystem::path& folder, const RunLog& log);

/// What run.json holds: the run as it was begun, and the parts that were told apart from it when it went on.
Json describe_run(const RunLog& log);
/// What run.json says of one part of a run.
Json describe_part(const RunLog& log);

}  // namespace dwarfsweep

// The files of a run, all made from its log: run.json, measurements.csv, samples.csv, speedups.csv,
// tables.md, and trace.csv where it has searched.
#pragma once

#include <filesystem>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Writes all into `folder`, each under a temporary name first and then renamed, so that no reader ever
/// sees an incomplete file. tables.md is made from the measurements.csv just written and from
/// find_published(). Throws std::runtime_error naming file and reason.
void write_results(const std::filesystem::path& folder, const RunLog& log);

}  // namespace dwarfsweep

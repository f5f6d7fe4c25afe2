// The files of a run, all made from its log: run.json, measurements.csv, samples.csv, speedups.csv,
// tables.md, and trace.csv if it has searched.
#pragma once

#include <filesystem>
#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// Writes all into `folder`, each under a temporary name first and then renamed, so that no reader ever
/// sees an incomplete file. tables.md has the published figures of find_published(). Returns the rows as
/// read_run_measurements(folder) would. Throws std::runtime_error naming file and reason.
std::vector<MeasurementRow> write_results(const std::filesystem::path& folder, const RunLog& log);

}  // namespace dwarfsweep

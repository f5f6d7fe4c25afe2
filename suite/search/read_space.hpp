// Recorded spaces: runs of ours, Kernel Tuner's caches, CSV files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/record/rows.hpp"
#include "suite/search/recorded_space.hpp"

namespace dwarfsweep {

/// The spaces of one file or folder, by what it holds:
/// - the folder of a run, or its measurements.csv: a space for each device, dwarf and problem of which at
///   least two points were measured;
/// - JSON: Kernel Tuner's cache file, or results in the T4 schema;
/// - other CSV: parameters, then `time_ms` and what else was recorded.
/// Files may be compressed by gzip. Throws UsageError and InputError.
std::vector<RecordedTable> read_spaces(const std::filesystem::path& path);

/// Time in ms; what comes after the column `time_ms` is no parameter. An empty time is a failed point. The
/// first row is the baseline, and the first one of each `variant` its default, where there are any.
RecordedTable parse_space_csv(const std::string& name, const std::string& file, const std::string& text);
RecordedTable parse_space_json(const std::string& name, const std::string& file, const std::string& text);
/// The points of `total` that ran or failed; rejected and unmeasured ones are none of the space.
std::vector<RecordedTable> spaces_of_run(const std::vector<MeasurementRow>& rows);

}  // namespace dwarfsweep

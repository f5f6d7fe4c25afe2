// A run's points as a recorded space, for `tune --replay` and other tools.
#pragma once

#include <filesystem>
#include <string>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// A line for each point that ran or failed: all its axes, `time_ms` (empty where it failed), `invalid` (the
/// status then), what it cost (`compile_ms`; `benchmark_ms`: warm-up and samples, the baseline's beside it
/// included; `verify_ms`), and what carving goes by (`registers`, `spill_bytes`, `local_bytes`,
/// `group_size`). The baseline comes first, then each variant's default, then the others in order. `name` is
/// the run's, for messages. Throws UsageError where the run has no such points, or those of several devices,
/// dwarfs or problems.
std::string space_csv(const RunLog& log, const std::string& name);

}  // namespace dwarfsweep

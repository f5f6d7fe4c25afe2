// Runs in the formats of other tools.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "suite/record/json_fwd.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

/// Results of auto-tuning in the T4 schema (github.com/odgaard/TuningSchema): one result for each point, its
/// samples as run times in nanoseconds. Device, dwarf and problem are parameters of the configuration.
Json to_t4(const std::vector<RunData>& runs);

/// The JSON of Google Benchmark's --benchmark_out_format=json, for its tools (compare.py): every sample is a
/// repetition. Names are "dwarf/problem/kernel/configuration/device".
Json to_google_benchmark(const std::vector<RunData>& runs);

/// "t4" and "google-benchmark".
bool is_export_format(std::string_view format);
/// `runs` are folders. Throws UsageError and InputError.
void print_export(std::ostream& out, std::string_view format, const std::vector<std::filesystem::path>& runs);

}  // namespace dwarfsweep

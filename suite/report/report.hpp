// A report: one HTML file about finished runs, whole without script, without a network and on paper.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/compare/compare.hpp"
#include "suite/report/report_data.hpp"

namespace dwarfsweep {

struct ReportRequest {
  std::vector<std::filesystem::path> runs;  ///< folders, or files measurements.csv
  std::filesystem::path against = {};       ///< an older run to compare with; empty: none
  bool all_samples = false;                 ///< every sample, however many
};

/// `comparison` of an older run with the first one; may be null.
std::string make_report(const ReportData& data, const Comparison* comparison, bool all_samples);

/// Throws UsageError and InputError for runs that cannot be read, std::runtime_error naming file and reason.
void write_report(const std::filesystem::path& file, const ReportRequest& request);

}  // namespace dwarfsweep

// The sections of a report, in reading order; each in a file of its own.
#pragma once

#include "suite/compare/compare.hpp"
#include "suite/report/html.hpp"
#include "suite/report/report_data.hpp"

namespace dwarfsweep {

Html verdict_section(const ReportData& data);
Html trust_section(const ReportData& data);
Html overview_section(const ReportData& data);
Html roofline_section(const ReportData& data);
Html dwarf_sections(const ReportData& data);
Html payoff_section(const ReportData& data);
Html portability_section(const ReportData& data);
Html left_out_section(const ReportData& data);
Html claims_section(const ReportData& data);
/// `comparison` may be null: no older run was given.
Html against_section(const ReportData& data, const Comparison* comparison);
Html rows_section(const ReportData& data);
Html method_section(const ReportData& data);

/// The data of the script: every row, and the samples of each point; binned unless they are few or
/// `all_samples`.
Json rows_json(const ReportData& data, bool all_samples);

/// Whether `rows_json` bins the samples.
bool bins_samples(const ReportData& data, bool all_samples);

}  // namespace dwarfsweep

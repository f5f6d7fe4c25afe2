// The sections of a report, in reading order, and how they word what they say of points.
#pragma once

#include <string>
#include <vector>

#include "suite/output/setting_tables.hpp"
#include "suite/report/html.hpp"
#include "suite/report/report.hpp"

namespace dwarfsweep {

Html verdict_section(const ReportData& data);
Html trust_section(const ReportData& data);
Html overview_section(const ReportData& data);
Html roofline_section(const ReportData& data);
Html dwarf_sections(const ReportData& data);
Html payoff_section(const ReportData& data);
Html portability_section(const ReportData& data);
Html left_out_section(const ReportData& data);
/// `comparison` may be null: no older run was given.
Html against_section(const ReportData& data, const Comparison* comparison);
Html method_section(const ReportData& data);

/// A table of whole runs and a column of it in which something was measured.
struct MeasuredTable {
  const SettingTable* table = nullptr;
  std::size_t column = 0;
  BestSetting best;
  const MeasurementRow* baseline = nullptr;  ///< null where it was not measured
};
/// In the order of the tables, columns within.
std::vector<MeasuredTable> measured_tables(const ReportData& data);

/// "lud (large, n=4096)".
std::string problem_text(const SettingTable& table);

/// "9.80x [9.70, 9.88]".
std::string gain_text(const Speedup& gain);
/// The same of a row; empty where it has no speedup.
std::string speedup_text(const MeasurementRow& row);

/// The point should have given a result, and did not.
bool is_failed_point(const MeasurementRow& row);

/// A glyph for the verdict: it must not be colour alone that tells.
std::string verdict_glyph(const MeasurementRow& row);

/// "39 % of peak, compute-bound"; empty where the peak is not known.
std::string bound_text(const MeasurementRow& row);

/// "39 %", "4.2 %", "0.08 %".
std::string per_cent_text(double share);

/// The command that measures this very point, quoted for a shell.
std::string point_command(const MeasurementRow& row);

/// "A NVIDIA H200".
std::string column_name(const DeviceColumn& column);

}  // namespace dwarfsweep

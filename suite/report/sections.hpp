// The sections of a report, in reading order, and how they word what they say of points. Each is the content
// below its heading; an empty one is left out of the page.
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

/// ". A: H200, B: ...": for figures that have room for letters only; empty for one device.
std::string device_letters(const ReportData& data);

/// "9 dwarfs on H200".
std::string report_title(const ReportData& data);

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
/// "large"; where the dwarf has several problems of that size also what they differ in: "paper: n=4096".
std::string size_text(const ReportData& data, const SettingTable& table);

/// "9.80x [9.70, 9.88]".
std::string gain_text(const Speedup& gain);
/// The same of a row; empty where it has no speedup.
std::string speedup_text(const MeasurementRow& row);
/// The time over that of the baseline, inverted: 1 for the baseline, 0 where it is not known.
double speedup_or_one(const MeasurementRow& row);

// Marks differ in shape, because colour must not be the only difference. Each has one meaning on the whole
// page.
/// "▲", "▼", "≈".
const char* verdict_mark_of(Verdict verdict);
/// For the row of a point: those, "●" of a baseline, and where it has no time "–" (not applicable), "⊘"
/// (unsupported), "·" (not run), "✕" (failed).
std::string point_mark(const MeasurementRow& row);

/// "✕ wrong result", "– not applicable".
std::string outcome_text(const MeasurementRow& row);

/// "39 %", "4.2 %", "0.08 %".
std::string per_cent_text(double share);
/// "39 % compute"; above 100 % with a note that says why; empty where the peak is not known.
Html peak_text(const MeasurementRow& row);

/// Whether launching takes longer than memory or arithmetic would at their peaks, so that the device itself
/// is not judged.
bool is_too_small(const MeasurementRow& row);

/// The command that measures this very point, quoted for a shell.
std::string point_command(const MeasurementRow& row);

/// A link to the row of a point.
Html point_name(const ReportData& data, const MeasurementRow& row, const Html& name);

}  // namespace dwarfsweep

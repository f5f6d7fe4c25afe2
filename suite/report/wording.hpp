// How a report words what it says of points.
#pragma once

#include <string>
#include <vector>

#include "suite/output/best_settings.hpp"
#include "suite/report/report_data.hpp"

namespace dwarfsweep {

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

/// "9.80x [9.70, 9.88]"; empty where the row has no speedup.
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

/// In single quotes where a shell would take it apart.
std::string shell_word(const std::string& text);

/// "A NVIDIA H200".
std::string column_name(const DeviceColumn& column);

}  // namespace dwarfsweep

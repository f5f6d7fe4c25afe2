// The tables of settings: for every problem and kernel, rows are settings and columns are devices; the best
// and the ten best of each problem and device; and devices against the CPU reference, transfers included.
#pragma once

#include <optional>
#include <string>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// "lud, large (n=4096)".
std::string problem_title(const SettingTable& table);

/// Dwarf by dwarf and problem by problem: what the settings are relative to, the table of all kernels, one
/// for each kernel that says something else, and the reasons of the points without a time.
Document setting_tables(const TableModel& model);

/// A setting and its row on one device; both null where nothing was measured there.
struct BestSetting {
  const Setting* setting = nullptr;
  const MeasurementRow* row = nullptr;
};

/// Of the settings that give the whole result: the best candidate that was re-measured (of several, as a
/// resumed run may have, the fastest); else the largest speedup that is more than noise; else the baseline.
/// Where nothing is paired with a baseline, the shortest time.
BestSetting best_setting(const SettingTable& table, std::size_t column);

/// The table of them all, all kernels together; empty where nothing was measured.
Document best_settings_table(const TableModel& model);

/// At most ten of each, those with the largest speedup first, or with the shortest time where some have no
/// baseline; of those that give the whole result.
Document top_settings_tables(const TableModel& model);

/// Upload, launch by the host's clock and download together, in ns. None where the point has no such times.
std::optional<double> time_with_transfers(const MeasurementRow& row);

/// Empty where the CPU reference was not measured (--cpu-reference).
Document cpu_reference_table(const TableModel& model);

}  // namespace dwarfsweep

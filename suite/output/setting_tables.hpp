// The tables of settings: for every problem and kernel, rows are settings and columns are devices; the ten
// best of each problem and device; and devices against the CPU reference, transfers included.
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

/// At most ten of each, those with the largest speedup first, or with the shortest time where some have no
/// baseline; of those that give the whole result.
Document top_settings_tables(const TableModel& model);

/// Upload, launch by the host's clock and download together, in ns. None where the point has no such times.
std::optional<double> time_with_transfers(const MeasurementRow& row);

/// Empty where the CPU reference was not measured (--cpu-reference).
Document cpu_reference_table(const TableModel& model);

}  // namespace dwarfsweep

// The main tables: for every problem and kernel, rows are settings and columns are devices.
#pragma once

#include <string>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// "lud, large (n=4096)".
std::string problem_title(const SettingTable& table);

/// Dwarf by dwarf and problem by problem: what the settings are relative to, the table of all kernels, one
/// for each kernel that says something else, and the reasons of the points without a time.
Document setting_tables(const TableModel& model);

}  // namespace dwarfsweep

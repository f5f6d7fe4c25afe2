// The main tables: for every problem and kernel, rows are settings and columns are devices.
#pragma once

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// Dwarf by dwarf and problem by problem: what the settings are relative to, the table of all kernels, one
/// for each kernel that says something else, and the reasons of the points without a time.
Document setting_tables(const TableModel& model);

}  // namespace dwarfsweep

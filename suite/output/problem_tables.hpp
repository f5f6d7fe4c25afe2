// The tables of one problem of one dwarf: one for each kernel.
#pragma once

#include <string>
#include <vector>

#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// "RUN|DEVICE": identifies a column.
std::string device_key(const MeasurementRow& row);

/// A row of the CPU reference, which is no column of the tables.
bool is_cpu_reference(const MeasurementRow& row);

/// `rows` are all those of one dwarf, size and problem, at least one. Appends the table of "total" first.
void add_problem_tables(const std::vector<const MeasurementRow*>& rows,
                        const std::vector<DeviceColumn>& columns, std::vector<SettingTable>& tables);

}  // namespace dwarfsweep

// Devices against the CPU reference, transfers included: the gain for a user whose data is in host memory.
#pragma once

#include <optional>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// Upload, launch by the host's clock and download together, in ns. None where the point has no such times.
std::optional<double> time_with_transfers(const MeasurementRow& row);

/// Empty where the CPU reference was not measured (--cpu-reference).
Document cpu_reference_table(const TableModel& model);

}  // namespace dwarfsweep

// The dwarfs against the host's own cores, transfers included: what somebody gains who has the data on the
// host.
#pragma once

#include <optional>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// From the first byte up to the last byte down: upload, launch by the host's clock, download. None where the
/// point has no such times.
std::optional<double> time_with_transfers(const MeasurementRow& row);

/// Empty where the host was not measured (--cpu-reference).
Document host_table(const TableModel& model);

}  // namespace dwarfsweep

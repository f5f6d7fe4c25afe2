// The best settings of each problem and device, before all of them.
#pragma once

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// At most ten of each, those with the largest speedup first, or with the shortest time where some have no
/// baseline; of those that give the whole result.
Document top_settings_tables(const TableModel& model);

}  // namespace dwarfsweep

// The columns energy_j, clock_mhz and throttled.
#pragma once

#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// Into a row of kernel "total". `blocks`: those that the row is made from; the clock is their mean, and one
/// throttled block is enough for `throttled`. Where the device did not tell, the columns stay empty.
void add_power_columns(MeasurementRow& row, const RunLog& log, const PointKey& key,
                       const std::vector<BlockRecord>& blocks);

}  // namespace dwarfsweep

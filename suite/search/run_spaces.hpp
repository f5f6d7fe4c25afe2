// Which rows of a run are points of a space.
#pragma once

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// The row of a whole point that ran or failed on a device. What did neither says nothing about how fast it
/// is.
bool was_tried(const MeasurementRow& row);

}  // namespace dwarfsweep

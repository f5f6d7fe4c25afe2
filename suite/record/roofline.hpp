// What bounds a kernel: memory, arithmetic or launching, by the peaks that were measured on the device.
#pragma once

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// Sets `peak_fraction` and `bound` of a row that has its times and its work, by the roofline model: the
/// fraction is the time that its bytes or its operations would take at the measured peak, whichever is
/// longer, over its time. The peak of the operations is that of the dwarf's kind of arithmetic. A fraction
/// above 1 is explained in `reason`. `events_per_launch` is the number of enqueues in one run of the case.
/// Leaves both empty where the device has no measured peaks.
void add_bound(MeasurementRow& row, const RunLog& log, double events_per_launch);

}  // namespace dwarfsweep

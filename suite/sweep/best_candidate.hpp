// The best candidate of a group: the point with the highest speedup so far. The best of many measurements is
// biased, so that it is measured again, in fresh blocks, before it is announced.
#pragma once

#include "suite/sweep/point_measurer.hpp"

namespace dwarfsweep {

/// Null where no point is faster than the baseline. Variants that leave out part of the result do not count.
SweepPoint* find_best_candidate(SweepGroup& group, const SweepLog& log);

/// Measures the minimum number of blocks again, as far as a resumed run has not done so; does nothing without
/// a candidate.
void remeasure_best_candidate(SweepGroup& group, const SweepContext& context, PointMeasurer& measurer);

}  // namespace dwarfsweep

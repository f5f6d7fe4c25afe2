// The best candidates of a group: the points with the highest speedups so far. The best of many measurements
// is biased, so that it is measured again, in fresh blocks, before it is announced.
#pragma once

#include <chrono>

#include "suite/engine/point_measurer.hpp"

namespace dwarfsweep {

/// Measures the best candidate again, to the target precision, and where it does not hold up the next ones.
/// The first has at least the minimum number of blocks, whatever the deadline. What a resumed run has of this
/// is enough. Variants that leave out part of the result are no candidates.
void remeasure_best_candidates(SweepGroup& group, const SweepContext& context, PointMeasurer& measurer,
                               std::chrono::steady_clock::time_point deadline);

/// The one with the highest speedup among those that were measured again; null where none was, or none is
/// faster than the baseline.
SweepPoint* best_remeasured(SweepGroup& group, const SweepLog& log);

/// There is a candidate, and none was measured again.
bool lacks_remeasurement(SweepGroup& group, const SweepLog& log);

}  // namespace dwarfsweep

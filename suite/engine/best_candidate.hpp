// The best candidates of a group: the points with the highest speedups so far. The best of many measurements
// is biased, so it is re-measured, in new blocks, before it is announced.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

#include "harness/statistics/statistics.hpp"
#include "suite/engine/measurer.hpp"

namespace dwarfsweep {

/// How many candidates of a group are re-measured at most.
inline constexpr std::size_t max_candidates = 3;

/// A point that was faster than the baseline when it was selected.
struct Candidate {
  double estimate = 1;                ///< its speedup when it was selected, which is biased in its favour
  std::optional<Speedup> remeasured;  ///< in blocks of its own; empty: not re-measured
};

/// A candidate holds up if the interval of its re-measurement lies above 1 and above what is known of every
/// other: of those not re-measured, their estimate.
bool holds_up(std::span<const Candidate> candidates, std::size_t index);

/// The one with the highest estimate among those not re-measured; none if a candidate holds up, or if
/// `max_candidates` were re-measured.
std::optional<std::size_t> next_to_remeasure(std::span<const Candidate> candidates);

/// Re-measures the best candidate to the target precision, and if it does not hold up the next ones. The
/// first has at least the minimum number of blocks, whatever the deadline. What a resumed run has of this is
/// enough. Variants that leave out part of the result are no candidates.
void remeasure_best_candidates(SweepGroup& group, SweepContext& context, Measurer& measurer,
                               std::chrono::steady_clock::time_point deadline);

/// The one with the highest speedup among those that were re-measured; null if none was, or none is faster
/// than the baseline.
SweepPoint* best_remeasured(SweepGroup& group, const SweepLog& log);

/// There is a candidate, and none was re-measured.
bool lacks_remeasurement(SweepGroup& group, const SweepLog& log);

}  // namespace dwarfsweep

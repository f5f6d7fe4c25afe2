// Which of the fastest points is measured again before one is called the best. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {

/// How many candidates of a group are measured again at most.
inline constexpr std::size_t max_candidates = 3;

/// A point that was faster than the baseline when it was selected.
struct Candidate {
  double estimate = 1;           ///< its speedup when it was selected, which is biased in its favour
  std::optional<Speedup> again;  ///< in fresh blocks; empty: not measured again
};

/// A candidate holds up where the interval of its re-measurement lies above 1 and above what is known of
/// every other: of those not measured again, their estimate.
bool holds_up(std::span<const Candidate> candidates, std::size_t index);

/// The one with the highest estimate among those not measured again; none where a candidate holds up, or
/// where `max_candidates` were measured again.
std::optional<std::size_t> next_to_remeasure(std::span<const Candidate> candidates);

}  // namespace dwarfsweep

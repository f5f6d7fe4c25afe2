// Energy per run of the points that matter most in a group: its baseline and its best candidate.
#pragma once

#include <chrono>

#include "suite/engine/point_measurer.hpp"

namespace dwarfsweep {

/// Runs each of the two back to back, as far as the log has no energy of it yet, for up to half of `limit`.
/// Does nothing where that is too short for a counter of energy, where the device has none, and with cold
/// caches.
void measure_energies(SweepGroup& group, const SweepContext& context, PointMeasurer& measurer,
                      std::chrono::milliseconds limit);

}  // namespace dwarfsweep

// What the parts of a sweep have in common.
#pragma once

#include "suite/engine/build_ahead.hpp"
#include "suite/engine/point_outcomes.hpp"
#include "suite/engine/progress.hpp"
#include "suite/plan/options.hpp"

namespace dwarfsweep {

struct SweepContext {
  const Options& options;
  PointOutcomes& outcomes;
  Progress& progress;
  BuildAhead& builds;
};

}  // namespace dwarfsweep

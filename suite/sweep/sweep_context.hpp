// What the parts of a sweep have in common.
#pragma once

#include "suite/plan/options.hpp"
#include "suite/sweep/build_ahead.hpp"
#include "suite/sweep/point_outcomes.hpp"
#include "suite/sweep/progress.hpp"

namespace dwarfsweep {

struct SweepContext {
  const Options& options;
  PointOutcomes& outcomes;
  Progress& progress;
  BuildAhead& builds;
};

}  // namespace dwarfsweep

// Energy per run: runs back to back for a while, and the steps of an energy counter meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "harness/energy/power_sensors.hpp"

namespace dwarfsweep {

/// The counter was seen to have moved to `joules` at that moment of the host's clock.
struct EnergyStep {
  std::int64_t ns = 0;
  double joules = 0;
};

/// The number of runs done at that moment.
struct RunCount {
  std::int64_t ns = 0;
  std::int64_t runs = 0;
};

/// What was used between two steps of the counter.
struct EnergyUse {
  double joules = 0;
  double seconds = 0;
  double runs = 0;  ///< with fractions: a step comes in the middle of a run
  int steps = 0;    ///< of the counter
};

/// The use from the first to the last step that lie between the first and the last count; nothing where there
/// are fewer than `min_steps` steps from there to there. Both lists ascend; the runs are taken to be evenly
/// spread between two counts.
std::optional<EnergyUse> energy_use(const std::vector<EnergyStep>& steps, const std::vector<RunCount>& counts,
                                    int min_steps);

struct EnergyLimits {
  double min_seconds = 0.5;
  double max_seconds = 2;
  int min_steps = 5;      ///< fewer say nothing: the error of a step at either end is a part of it
  int enough_steps = 20;  ///< ends the phase after `min_seconds`
};

/// Calls `run(n)`, which does n runs and waits for them, in batches of about 10 ms until there are enough
/// steps or `max_seconds` have passed, at least once. A thread of its own watches the counter meanwhile, so
/// that no run waits for a reading. `run_seconds`: expected for one run. Throws what `run` throws.
std::optional<EnergyUse> measure_energy(EnergyMeter& meter, const std::function<void(std::int64_t)>& run,
                                        double run_seconds, const EnergyLimits& limits);

}  // namespace dwarfsweep

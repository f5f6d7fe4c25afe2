// Two runs of one host made one.
#pragma once

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Device ids get "@host" behind them.
void name_devices_by_host(RunLog& log);

/// Whether times of the two may be held against one baseline: the same processor, and for every device that
/// both have the same name, driver, platform and timer.
bool may_stand_together(const RunLog& one, const RunLog& other);

/// Adds `more` to `log`. A point that both have (a baseline) is there once: as the one that is ok, with the
/// blocks of both where both are, else with what became of the other in its reason. Rounds and worker
/// processes of `more` are numbered after those of `log`. Throws UsageError where auto has chosen another
/// size for a device and dwarf.
void join(RunLog& log, RunLog more);

}  // namespace dwarfsweep

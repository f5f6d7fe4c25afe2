// What `run` finds out about one point.
#pragma once

#include <string>
#include <vector>

#include "suite/engine/sweep_group.hpp"
#include "suite/plan/options.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {

struct PointFindings {
  Preparation preparation;
  std::vector<BlockRecord> blocks;
  bool paired = false;    ///< the baseline was measured in pairs with the point
  std::string reference;  ///< what it was paired with; empty: the baseline
  std::string note;
  std::string at_fault;  ///< of two kernel folders the one that failed: "the kernels of 'X': "
};

/// Prepares a point of the group and measures it, paired with the baseline, until its interval is narrow
/// enough or the budget is spent. The status of its preparation says whether it failed. Throws what opening
/// the device throws, UsageError and Interrupted.
PointFindings measure_point(const Options& options, DeviceClient& client, SweepGroup& group,
                            SweepPoint& point);

/// The same of the point with the kernels of the folder `options.against`, paired with itself with those of
/// the run. Both are verified before and after.
PointFindings measure_against(const Options& options, DeviceClient& client, const SweepGroup& group,
                              const SweepPoint& point);

/// `group`: of the point; `timer`: of its device.
void print_findings(const SweepGroup& group, const SweepPoint& point, const PointFindings& findings,
                    const TimerReport& timer);
void print_findings_as_json(const SweepGroup& group, const SweepPoint& point, const PointFindings& findings);

}  // namespace dwarfsweep

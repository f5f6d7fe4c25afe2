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
  bool paired = false;    ///< the baseline was measured beside the point
  std::string reference;  ///< what it was paired with; empty: the baseline
  std::string note;
};

/// Prepares the point and measures it beside the baseline until its interval is narrow enough or the budget
/// is spent. Throws as DeviceClient::ask.
PointFindings measure_point(DeviceClient& client, const Options& options, const SweepPoint& baseline,
                            const SweepPoint& point);

/// The same of the point with the kernels of the folder `options.against`, beside itself with those of the
/// run. Both are verified before and after. `doing` says whose fault it is when this throws.
PointFindings measure_against(DeviceClient& client, const Options& options, const SweepPoint& point,
                              std::string& doing);

/// `group`: of the point; `timer`: of its device.
void print_findings(const SweepGroup& group, const SweepPoint& point, const PointFindings& findings,
                    const TimerReport& timer);
void print_findings_as_json(const SweepGroup& group, const SweepPoint& point, const PointFindings& findings);

}  // namespace dwarfsweep

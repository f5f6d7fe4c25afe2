// Which points of a space are measured, and in which order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// baseline: the paper's initial code alone. one_at_a_time: each axis varied from the baseline, as in the
/// thesis; then each other variant at its default configuration, with the axes that the baseline's variant
/// does not have. full: the whole product. random: N legal points of it, every one equally likely;
/// stratified: each variant equally likely, so that large ones do not crowd out small ones. paper: exactly
/// the published settings and sizes. best: the best point known for the device and problem. corners: every
/// variant's default configuration, and from there each axis to its smallest and largest legal value.
/// transfer: what did best in earlier runs, the same points on every device. ci: the baseline and the best
/// point known to the program, the same in every run, for comparing runs (suite/plan/ci_plan.hpp).
enum class PlanKind { baseline, one_at_a_time, full, random, stratified, paper, best, corners, transfer, ci };

struct PlanRequest {
  PlanKind kind = PlanKind::one_at_a_time;
  std::size_t random_points = 0;
  std::uint64_t seed = 1;
  ValueMap settings;           ///< fixed axes (--set)
  std::vector<ValueMap> best;  ///< plans best and transfer: the settings of the best points known
  /// Where any is given, only these axes are varied, over these values (--axis).
  std::vector<std::pair<std::string, std::vector<Value>>> axes;
};

struct PlannedPoint {
  Config config;
  std::optional<std::string> rejected;  ///< why it cannot run on this device
};

/// "baseline", "one-at-a-time", "full", "random:N", "stratified:N", "paper", "best", "corners" or
/// "transfer". Throws UsageError.
PlanRequest parse_plan(const std::string& text);

/// The configuration of a best point known, with the fixed settings of the plan.
Config best_config(const Space& space, const ValueMap& best, const PlanRequest& request,
                   const Capabilities& capabilities);

/// The points of a plan for one problem on one device: the baseline first, none twice. For the plan `paper`
/// those settings that were published for this problem, or all published settings where the problem is of no
/// published size. Throws UsageError for unknown axes and values.
std::vector<PlannedPoint> make_plan(const Dwarf& dwarf, const Problem& problem,
                                    const Capabilities& capabilities, const PlanRequest& request);

/// What to tell where a plan of N random points has fewer; nothing otherwise.
std::optional<std::string> shortfall(const PlanRequest& request, const std::vector<PlannedPoint>& points);

}  // namespace dwarfsweep

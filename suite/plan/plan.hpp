// Which points of a space are measured, and in which order.
#pragma once

#include <cstdint>
#include <functional>
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
/// point known to the program, the same in every run, for comparing runs (suite/plan/options.hpp).
enum class PlanKind { baseline, one_at_a_time, full, random, stratified, paper, best, corners, transfer, ci };

struct PlanRequest {
  PlanKind kind = PlanKind::one_at_a_time;
  std::size_t random_points = 0;
  std::uint64_t seed = 1;
  ValueMap settings;           ///< fixed axes (--set)
  std::vector<ValueMap> best;  ///< plans best and transfer: the settings of the best points known
  /// Where any is given, only these axes are varied, over these values (--axis).
  std::vector<std::pair<std::string, std::vector<Value>>> axes;
  /// Called while points are drawn and listed, which may take minutes. Throws to stop it.
  std::function<void()> check_for_stop = [] {};
};

struct PlannedPoint {
  Config config;
  std::optional<std::string> rejected;  ///< why it cannot run on this device
};

/// "baseline", "one-at-a-time", "full", "random:N", "stratified:N", "paper", "best", "corners" or
/// "transfer". Throws UsageError.
PlanRequest parse_plan(const std::string& text);

/// The problem with the keys of `custom` if it has any; else the problems of the named sizes; without names
/// the published ones for the plan `paper`, and those of size small for every other (the size `auto` is
/// chosen elsewhere). Throws UsageError for an unknown size or key.
std::vector<Problem> plan_problems(const Dwarf& dwarf, const PlanRequest& request,
                                   const std::vector<std::string>& sizes, const ValueMap& custom);

/// The configuration of a best point known, with the fixed settings of the plan.
Config best_config(const Space& space, const ValueMap& best, const PlanRequest& request,
                   const Capabilities& capabilities);

/// The points of a plan for one problem on one device: the baseline first, none twice. For the plan `paper`
/// those settings that were published for this problem, or all published settings where the problem is of no
/// published size. Throws UsageError for unknown axes and values, and for a plan that would not fit into the
/// host's memory.
std::vector<PlannedPoint> make_plan(const Dwarf& dwarf, const Problem& problem,
                                    const Capabilities& capabilities, const PlanRequest& request);

/// What to report if a plan of N random points has fewer; nothing otherwise.
std::optional<std::string> shortfall(const PlanRequest& request, const std::vector<PlannedPoint>& points);

/// The variants asked for by name; else the origin's before all others.
std::vector<std::string> variants_of(const Space& space, const PlanRequest& request, const Config& origin);

/// The default configuration of a variant, with the fixed settings of `request` that have a meaning in it.
Config default_of(const Space& space, const std::string& variant, const Capabilities& capabilities,
                  const PlanRequest& request);

/// The axes that the plan varies within a variant, each with the values it takes.
std::vector<Axis> free_axes(const Space& space, const std::string& variant, const PlanRequest& request);

}  // namespace dwarfsweep

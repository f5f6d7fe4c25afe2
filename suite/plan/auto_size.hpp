// Which size of a dwarf fits a device: beyond its caches, long against a launch, and affordable.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// What the device was measured to do; zero where it was not.
struct DeviceRates {
  double last_level_bytes = 0;
  double bytes_per_ns = 0;
  double operations_per_ns = 0;  ///< of the dwarf's kind
  double launch_ns = 0;          ///< of a launch in a queue of many
};

/// A size of the ladder tiny, small, medium, large.
struct LadderSize {
  std::string name;
  std::string problem;
  Demand demand;
};

/// The sizes of a dwarf that auto chooses from, in order; empty where the dwarf states no demand.
std::vector<LadderSize> ladder_of(const Dwarf& dwarf);

/// From how many times the anchor's time on a baseline is slow: points are then paired with the anchor.
inline constexpr double slow_baseline = 4;

/// What measuring takes at one size, in seconds.
struct SizeCost {
  double once = 0;    ///< making the input and the reference results
  double point = 0;   ///< per point: upload and verification; without the build, which no size changes
  double sample = 0;  ///< of the baseline
  /// A sample of the fastest default of a variant, and the mean over the points that are to be measured: the
  /// variants' defaults, and others as fast as the fastest. 0: not tried; then both are the baseline's.
  double anchor = 0, typical = 0;

  /// Of the baseline until it can be measured: its run that is verified, and the warm-up.
  [[nodiscard]] double prepared_point() const { return prepared(sample); }
  [[nodiscard]] double prepared(double own_sample) const { return point + 0.05 + 4 * own_sample; }
};

/// What measuring may take.
struct SizeLimits {
  double group_seconds = 0;   ///< the dwarf's share of the budget; 0: no limit
  double point_seconds = 60;  ///< the limit of a point
  double trial_seconds = 5;   ///< what a trial of the baseline at one size may take
  double points = 1;          ///< how many points are to be measured in that time
  int blocks = 3;             ///< minimum number of measurement blocks
};

struct SizeTarget {
  std::size_t index = 0;
  std::string reason;
};

/// The first size beyond the last-level cache at which the launches of a good variant take little of its
/// time; the last one where none is.
SizeTarget target_size(const std::vector<LadderSize>& ladder, const DeviceRates& rates);

/// Of the points that limits names, each with what it is paired with once in each of the minimum number of
/// blocks; where that is an anchor, a few executions of the baseline come on top.
double needed_seconds(const SizeCost& cost, const SizeLimits& limits);
bool is_affordable(const SizeCost& cost, const SizeLimits& limits);
/// The cost at another size; too high rather than too low, since what launches cost is scaled as well.
SizeCost scaled_cost(const SizeCost& cost, const Demand& from, const Demand& to);

struct SizeChoice {
  std::size_t index = 0;
  std::size_t target = 0;  ///< what it would be without the limits
  std::string reason;
  SizeCost cost;
};

/// Measures the baseline at a size of the ladder; nothing where it does not run, or takes far more than
/// expected.
using SizeTrial = std::function<std::optional<SizeCost>(std::size_t index, const SizeCost& expected)>;

/// Adds to what is known of the baseline at a size what the variants cost there.
using VariantsTrial = std::function<void(std::size_t index, SizeCost& cost)>;

/// Goes up the ladder to the target, as far as a few executions of the baseline are affordable, and tries the
/// baseline where that is needed to know it. Comes down again if the variants are not affordable there, which
/// `variants` finds out; without it each is as slow as the baseline.
SizeChoice choose_size(const std::vector<LadderSize>& ladder, const DeviceRates& rates,
                       const SizeLimits& limits, const SizeTrial& trial, const VariantsTrial& variants = {});

/// Whether a choice made before still holds. What is affordable may then cost up to twice as much, and be
/// left for a larger size only where the limit has more than doubled, so that a borderline case stays.
bool still_holds(const SizeChoice& before, const SizeLimits& limits_before, const SizeLimits& limits);

}  // namespace dwarfsweep

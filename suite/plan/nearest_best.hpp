// Which of the best points known suits a device and a problem for which none was measured.
#pragma once

#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"
#include "suite/plan/best.hpp"

namespace dwarfsweep {

/// The distance of two problems of a dwarf.
struct ProblemDistance {
  int algorithm = 0;  ///< keys of KeyRole::algorithm that differ
  double sizes = 0;   ///< Euclidean, in the natural logarithms of the keys of KeyRole::size
  double growth = 0;  ///< the sum of their differences: above 0 if the known problem is the larger
  /// The logarithm of the factor by which one problem is larger: keys that grow by themselves, or those that
  /// shrink, whichever is more.
  double factor = 0;
};

/// A key that `known` lacks has its preset.
ProblemDistance problem_distance(const DwarfInfo& dwarf, const ValueMap& known, const ValueMap& wanted);

/// The points of this dwarf, the nearest first: of the same type of device; of problems with the same
/// algorithm; of this device (its name and, where known, its compute units), else of the same kind (on CPUs
/// vectors as wide, otherwise the same platform); then by the distance of the problems and of the compute
/// units, all in logarithms. At the same distance those of this platform, this driver, and the earlier in
/// `points` come first.
std::vector<const BestPoint*> by_nearness(const std::vector<BestPoint>& points, const DeviceInfo& device,
                                          const DwarfInfo& dwarf, const Problem& problem);

/// What to run where the best point known is asked for.
struct KnownPoint {
  ValueMap settings;   ///< over the baseline; none if nothing is known
  std::string origin;  ///< for people: where it was measured, for what, and why nothing nearer was taken
};

/// A point says little about a problem that is larger or smaller by this factor: one may fill a device that
/// the other leaves idle.
inline constexpr double max_size_factor = 8;

/// The nearest of `own` and `built_in` that is legal with the settings `fixed`, was measured on this type of
/// device with the same algorithm, and on a problem within `max_size_factor`; at the same distance one of
/// `own`. A point that was not compared with what the program knew counts for its own problem only. If there
/// is none: the dwarf's first choice, else the nearest legal one of `built_in`, else of `own`. If nothing is
/// legal: the nearest, which is then rejected for its reason.
KnownPoint choose_known_point(const std::vector<BestPoint>& own, const std::vector<BestPoint>& built_in,
                              const DeviceInfo& device, const Dwarf& dwarf, const Problem& problem,
                              const ValueMap& fixed);

/// What is worth a few runs each, so that the fastest goes on: the choice of choose_known_point() first; the
/// nearest point of a problem that is no larger and the nearest of a larger one, however far; and the dwarf's
/// first choice. All are legal, none is there twice, and there are at most `max_known_candidates`. A choice
/// that was measured on this device for this problem stands alone.
std::vector<KnownPoint> choose_known_candidates(const std::vector<BestPoint>& own,
                                                const std::vector<BestPoint>& built_in,
                                                const DeviceInfo& device, const Dwarf& dwarf,
                                                const Problem& problem, const ValueMap& fixed);
inline constexpr std::size_t max_known_candidates = 3;

/// Did the run of these rows measure what the program itself would have chosen for the point's problem?
bool was_compared(const std::vector<MeasurementRow>& rows, const BestPoint& point, const DeviceInfo& device);

}  // namespace dwarfsweep

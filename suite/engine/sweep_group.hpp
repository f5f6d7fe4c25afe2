// The points of a sweep, grouped by device, dwarf and problem: what the plan says of each, what became of it,
// and in which order they are measured.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dwarfs/registry.hpp"
#include "suite/plan/point_request.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// What became of a point in this sitting. From `verified` on it can be measured, until it is `lost`.
enum class PointState {
  planned,    ///< not prepared; what a resumed log says of it may be enough
  verified,   ///< its output was right, and nothing was measured since; also as the log of a resumed run has
              ///< it
  unchecked,  ///< measured, and the output of its last sample has not been verified since
  checked,    ///< measured, and the output of its last sample was right: what was measured stands
  lost,       ///< it failed, was rejected or left out, or its device is gone: nothing more is measured
};

/// Begins the remark of a candidate for the best known point; its origin follows.
inline constexpr std::string_view known_point_remark = "best known point: ";

/// One point within a sweep. What the plan says of it never changes.
struct SweepPoint {
  const PointRequest request;
  const PointKey key;
  const bool baseline = false;
  const std::optional<std::string> rejected = {};  ///< why it cannot run here

  bool candidate = false;  ///< for the best known point; its note begins with known_point_remark
  PointState state = PointState::planned;
  /// Why no more blocks are due; none: some are, or time was up.
  std::optional<std::string> stop_reason = {};
  std::string note = {};                       ///< a remark for the row of a point that is ok
  int process = 0;                             ///< number of the worker process that holds it; 0: none does
  double sample_ns = 0;                        ///< expected time of one sample, from its preparation
  double run_ns = 0;                           ///< the same of one execution
  std::chrono::milliseconds spent{0};          ///< of the point's time limit
  std::chrono::milliseconds longest_block{0};  ///< of its measurement blocks

  [[nodiscard]] bool works() const { return state != PointState::planned && state != PointState::lost; }
  [[nodiscard]] bool is_open() const { return !rejected && !stop_reason; }
};

/// Indices of points. Those that cannot run are in neither list.
struct PointOrder {
  std::vector<std::size_t> first;  ///< the baseline, and the default configuration of every variant
  std::vector<std::size_t> rest;
};

/// `points` of a group: the baseline first, and of each variant its default configuration first; if that
/// cannot run, the next that can. The rest is sorted by variant and by the axes that differ from the
/// variant's default; of these lists, in random order, one point each in turn: a small budget leaves out no
/// axis. The same `seed` gives the same order.
PointOrder order_points(const std::vector<SweepPoint>& points, std::uint64_t seed);

/// All points of one dwarf and one problem on one device: they share data, a baseline and the rounds.
struct SweepGroup {
  DeviceInfo device;
  const Dwarf* dwarf = nullptr;
  std::vector<SweepPoint> points;                    ///< the baseline first; on the host: serial, openmp
  PointOrder order = {};                             ///< of `points`
  std::chrono::milliseconds spent{0};                ///< on its points, in this sweep
  std::chrono::milliseconds slowest_preparation{0};  ///< of a point that works, in this sweep
  bool begun = false;                                ///< in this sweep
  std::optional<KnownPointRecord> known = {};        ///< if the plan is `best` or `ci`
  std::size_t known_point = 0;                       ///< which of `points` that is
  /// The best is chosen by its samples, which are then biased, and re-measured.
  bool selects = true;

  /// May have an anchor. Without one all points are paired with the baseline.
  bool takes_anchor = true;
  /// Where the baseline is slow, which of `points` the others are paired with. Never changes.
  std::optional<std::size_t> anchor = {};

  /// The baseline. Null on the host, where plain C++ has none.
  [[nodiscard]] SweepPoint* reference() { return points.front().baseline ? &points.front() : nullptr; }
  /// What the point is paired with: the anchor, as long as that works; else the baseline. Baseline and anchor
  /// are themselves paired with the baseline.
  [[nodiscard]] SweepPoint* reference_of(const SweepPoint& point);
  /// The number of points that can run and still need blocks.
  [[nodiscard]] std::size_t points_to_do() const;
};

/// The anchor of a group whose points have been prepared: the point of `order.first` whose first look was the
/// fastest, if the baseline takes more than four times as long and there are others to be paired with it.
std::optional<std::size_t> choose_anchor(const SweepGroup& group);

/// The device of each group.
std::vector<const DeviceInfo*> devices_of(const std::vector<SweepGroup>& groups);

}  // namespace dwarfsweep

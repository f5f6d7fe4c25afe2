// The points of a sweep, grouped by device, dwarf and problem, and how far each has come.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dwarfs/registry.hpp"
#include "suite/engine/point_order.hpp"
#include "suite/plan/point_request.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// One point within a sweep, and how far it has come.
struct SweepPoint {
  PointRequest request;
  PointKey key;
  bool baseline = false;
  std::string rejected;                ///< why it cannot run; empty: it can
  bool alive = false;                  ///< prepared, verified, and nothing has gone wrong since
  bool ended = false;                  ///< an "end" is in the log
  std::string stop_reason;             ///< why its rounds are over; empty: they are not, or time was up
  std::string note;                    ///< a remark for the row of a point that is ok
  double sample_ns = 0;                ///< expected time of one sample, from its preparation
  bool unchecked = false;              ///< measured, and the output of its last sample not checked since
  bool checked = false;                ///< measured, and the output of its last sample was right
  int process = 0;                     ///< number of the worker process in which it is prepared; 0: in none
  std::chrono::milliseconds spent{0};  ///< of the point's time limit
  std::chrono::milliseconds longest_block{0};  ///< of its measurement blocks
};

/// All points of one dwarf and one problem on one device: they share data, a baseline and the rounds.
struct SweepGroup {
  DeviceInfo device;
  const Dwarf* dwarf = nullptr;
  std::vector<SweepPoint> points;              ///< the baseline first; on the host: serial, openmp
  PointOrder order = {};                       ///< of `points`
  std::chrono::milliseconds spent{0};          ///< on its points, in this sweep
  bool visited = false;                        ///< in this sweep
  std::optional<KnownPointRecord> known = {};  ///< where the plan is `best` or `ci`
  std::size_t known_point = 0;                 ///< which of `points` that is
  /// The best is chosen by its samples, which are then biased, and measured again.
  bool selects = true;
};

/// The number of points that can run and have not ended.
std::size_t points_to_do(const SweepGroup& group);

/// The device of each group.
std::vector<const DeviceInfo*> devices_of(const std::vector<SweepGroup>& groups);

}  // namespace dwarfsweep

// The points of a sweep, grouped by device, dwarf and problem, and how far each has come.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "dwarfs/registry.hpp"
#include "suite/plan/point_request.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// The stop reason of points that were not measured, or not measured further, because the budget was spent.
inline constexpr const char* out_of_budget = "budget";
/// The stop reason of points that were not tried, or not measured further, because their variant kept
/// failing.
inline constexpr const char* skipped = "skipped";

/// One point within a sweep, and how far it has come.
struct SweepPoint {
  PointRequest request;
  PointKey key;
  bool baseline = false;
  std::string rejected;                ///< why it cannot run; empty: it can
  bool alive = false;                  ///< prepared, verified, and nothing has gone wrong since
  bool ended = false;                  ///< an "end" is in the log
  std::string stop_reason;             ///< why its rounds are over; empty: they are not
  std::string note;                    ///< a remark for the row of a point that is ok
  double sample_ns = 0;                ///< expected time of one sample, from its preparation
  int process = 0;                     ///< number of the worker process in which it is prepared; 0: in none
  std::chrono::milliseconds spent{0};  ///< of the point's time limit
  std::chrono::milliseconds longest_block{0};  ///< of its measurement blocks
};

/// All points of one dwarf and one problem on one device: they share data, a baseline and the rounds.
struct SweepGroup {
  DeviceInfo device;
  const Dwarf* dwarf = nullptr;
  std::vector<SweepPoint> points;  ///< the baseline first; on the host: serial, openmp
};

/// The number of points that can run and have not ended.
std::size_t points_to_do(const SweepGroup& group);

/// The points that can run, in the order in which they are prepared: the baseline, the default configuration
/// of every variant, then the rest in random order, so that a small budget does not always leave out the same
/// corner of the space. The same `seed` gives the same order, also when the run is resumed.
std::vector<SweepPoint*> preparation_order(SweepGroup& group, std::uint64_t seed);

}  // namespace dwarfsweep

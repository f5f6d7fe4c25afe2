// The best points of the user's own machine, results/best/points.csv: what `sweep` and `tune` have found, per
// device, driver, dwarf and problem. `--plan best` uses them beside those that are part of the program.
#pragma once

#include <filesystem>
#include <vector>

#include "suite/plan/best.hpp"

namespace dwarfsweep {

inline std::filesystem::path own_best_path() {
  return std::filesystem::path("results") / "best" / "points.csv";
}

/// Compute units and vectors, as far as the device tells.
void set_figures(BestPoint& point, const DeviceInfo& device);
/// Those of the device with the same id, where it is among `devices`.
void set_figures(std::vector<BestPoint>& points, const std::vector<DeviceInfo>& devices);

/// A point of this device, without what was measured (median_ns, speedup, run_id, timer).
BestPoint make_best_point(const DeviceInfo& device, const std::string& dwarf, const Problem& problem,
                          const Config& config);

/// A file that is missing holds nothing. What cannot be read holds nothing either, with a warning on standard
/// error.
std::vector<BestPoint> read_own_best(const std::filesystem::path& path = own_best_path());

/// Adds points to the file, which others may be writing to at the same time. Of one device, driver, dwarf and
/// problem the fastest is kept, or the latest where the timers differ; a point that is there already gets its
/// new time. Where the file cannot be read or written, there is a warning and it is left as it is.
void keep_best_points(const std::vector<BestPoint>& points,
                      const std::filesystem::path& path = own_best_path());

inline void keep_best_point(const BestPoint& point, const std::filesystem::path& path = own_best_path()) {
  keep_best_points({point}, path);
}

}  // namespace dwarfsweep

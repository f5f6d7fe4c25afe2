// The best points known, per dwarf, problem and device: results/reference/best.csv, which is part of the
// program, and results/best/points.csv of the user's own machine, in which `sweep` and `tune` keep what they
// found.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// One line of such a file.
struct BestPoint {
  std::string device, device_type, platform;
  std::string dwarf, size, problem;
  std::string
      config;  ///< "variant=strip;work_group=32;..."; what is not named has the default of the variant
  Number median_ns, speedup;
  std::string run_id;
  // A file may lack these.
  Number compute_units, float_lanes;  ///< of the device
  std::string device_id, driver;
  std::string timer;  ///< device or host: times by different ones are not compared
  /// 1: the run also measured what the program would have chosen for this problem; 0: it did not, so that the
  /// point is the best of some, and says nothing of other problems.
  Number compared = {};
  std::string file = {};  ///< where it was read, for people; empty: the table of its kind. No column
};

/// What the program was built with.
const std::vector<BestPoint>& best_points();

/// The time of a row's whole runs; in runs of schema 1, whose `median_ns` is a sum of kernel times, by the
/// host's clock.
double whole_run_ns(const MeasurementRow& row);

/// The best verified point of each dwarf, problem and device, by the time of its whole runs; of those that
/// give the whole result. Of runs of schema 2 a re-measured point comes before all others; between them and
/// runs of schema 1 the wall time decides.
std::vector<BestPoint> find_best(const std::vector<MeasurementRow>& rows);

std::string to_csv(const std::vector<BestPoint>& points);
/// Throws InputError naming file and line.
std::vector<BestPoint> parse_best(const std::string& name, const std::string& text);

/// Compute units and vectors, as far as the device reports them.
void set_figures(BestPoint& point, const DeviceInfo& device);
/// Those of the device with the same id, if it is among `devices`.
void set_figures(std::vector<BestPoint>& points, const std::vector<DeviceInfo>& devices);

/// A point of this device, without what was measured (median_ns, speedup, run_id, timer).
BestPoint make_best_point(const DeviceInfo& device, const std::string& dwarf, const Problem& problem,
                          const Config& config);

/// The folder of what was found on this machine: results/best, or $DWARFSWEEP_BEST.
std::filesystem::path own_best_folder();
inline std::filesystem::path own_best_path() {
  return own_best_folder() / "points.csv";
}

/// A missing file holds nothing. An unreadable one holds nothing either, with a warning on standard error.
std::vector<BestPoint> read_own_best(const std::filesystem::path& path = own_best_path());

/// Adds points to the file, which others may be writing to at the same time. Of one device, driver, dwarf and
/// problem the fastest is kept, or the latest if the timers differ; a point that is there already gets its
/// new time. If the file cannot be read or written, there is a warning and it is left as it is.
void keep_best_points(const std::vector<BestPoint>& points,
                      const std::filesystem::path& path = own_best_path());

}  // namespace dwarfsweep

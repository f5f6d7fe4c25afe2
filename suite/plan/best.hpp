// The best points known, per dwarf, problem and device: results/reference/best.csv, which is part of the
// program, and results/best/points.csv of the user's own machine (suite/plan/own_best.hpp).
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/space/problem.hpp"
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
  // What a file may lack.
  Number compute_units, float_lanes;  ///< of the device
  std::string device_id, driver;
  std::string timer;  ///< device or host: times by different ones are not compared
  /// 1: the run also measured what the program would have chosen for this problem; 0: it did not, so that the
  /// point is the best of some, and says nothing of other problems.
  Number compared = {};
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

}  // namespace dwarfsweep

// The points of many sources, in groups, as the pages of an atlas show them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "suite/sharing/bundle_summary.hpp"

namespace dwarfsweep {

/// The best point of a source for a dwarf and problem.
struct AtlasPoint : SummaryPoint {
  std::size_t source = 0;  ///< its place in `AtlasModel::sources`
  bool own_run = false;

  [[nodiscard]] double ns() const { return *best.median_ns; }
};
using Points = std::vector<const AtlasPoint*>;
using PointGroups = std::map<std::string, Points>;

PointGroups grouped(const Points& points, const std::function<std::string(const AtlasPoint&)>& key);
Points by_time(Points points);
/// The fastest of each device, the fastest first.
Points fastest_of_devices(const Points& points);

std::string device_of(const AtlasPoint& point);
/// "lud, large (n=4096)"
std::string problem_of(const AtlasPoint& point);
std::string variant_of(const AtlasPoint& point);
/// "blocked, granularity=8": the variant, and what differs from the baseline of a dwarf that this program
/// knows.
std::string setting_of(const AtlasPoint& point);

struct AtlasModel {
  std::vector<BundleSummary> sources;  ///< without their points
  std::vector<AtlasPoint> points;
  Points all;
  PointGroups by_device, by_dwarf;
  std::map<std::string, std::string> labels;  ///< of devices: short where that is clear
  bool has_own_run = false;

  explicit AtlasModel(std::vector<BundleSummary> read);
  AtlasModel(const AtlasModel&) = delete;  // points to its own points
  AtlasModel& operator=(const AtlasModel&) = delete;
};

/// What an axis gains on a device, over all sources: the largest gain first.
std::vector<PayOff> pay_offs_of(const AtlasModel& model, const std::string& device);

/// Devices by dwarfs. Devices are compared on the problem that most of them have; of several such problems on
/// the longest.
struct AtlasMatrix {
  std::vector<std::string> dwarfs, problems;  ///< one problem for each dwarf
  struct Row {
    std::string device;
    /// By dwarf: the fastest point of that problem, or else of the device's longest one; may be null.
    Points cells;
    Number share;  ///< median share of the peak
  };
  std::vector<Row> rows;  ///< the highest share first
};
AtlasMatrix matrix_of(const AtlasModel& model);

}  // namespace dwarfsweep

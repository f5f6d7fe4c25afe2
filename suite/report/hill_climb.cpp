#include "suite/report/hill_climb.hpp"

#include <algorithm>

#include "harness/space/value.hpp"

namespace dwarfsweep {
namespace {

std::size_t count_differences(const Config& a, const Config& b) {
  std::size_t count = 0;
  for (const auto& [axis, value] : a.entries()) {
    const Value* const other = b.find(axis);
    if (other == nullptr || *other != value) ++count;
  }
  return count;
}

}  // namespace

std::optional<HillClimb> climb_hill(const std::vector<const Setting*>& settings, std::size_t column) {
  struct Step {
    Config config;
    const MeasurementRow* row;
  };
  std::vector<Step> points;
  std::optional<Step> here;
  double best = 0;
  for (const Setting* setting : settings) {
    const MeasurementRow* const row = setting->cells[column];
    points.push_back({Config::parse(setting->config), row});
    if (setting->baseline || setting->label == "variant=" + row->variant) here = points.back();
    if (best == 0 || *row->median_ns < best) best = *row->median_ns;
  }
  if (!here) return std::nullopt;
  const bool far = std::any_of(points.begin(), points.end(), [&](const Step& point) {
    return count_differences(point.config, here->config) > 1;
  });
  if (!far) return std::nullopt;
  for (bool moved = true; moved;) {
    moved = false;
    const Config from = here->config;
    for (const Step& point : points) {
      if (count_differences(point.config, from) != 1 || *point.row->median_ns >= *here->row->median_ns)
        continue;
      here = point;
      moved = true;
    }
  }
  return HillClimb{here->row, *here->row->median_ns / best};
}

}  // namespace dwarfsweep

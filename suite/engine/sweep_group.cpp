#include "suite/engine/sweep_group.hpp"

#include <algorithm>
#include <map>

#include "harness/statistics/random.hpp"
#include "suite/plan/auto_size.hpp"

namespace dwarfsweep {
namespace {

// "slicing|granularity": the variant, and the axes in which the configuration differs from `reference`.
std::string varied(const Config& config, const Config& reference) {
  std::string text = config.string("variant");
  for (const auto& [axis, value] : config.entries()) {
    const Value* const usual = reference.find(axis);
    if (usual == nullptr || *usual != value) text += "|" + axis;
  }
  return text;
}

// One index of each list in turn.
std::vector<std::size_t> interleave(const std::vector<std::vector<std::size_t>>& lists) {
  std::vector<std::size_t> all;
  bool more = true;
  for (std::size_t place = 0; more; ++place) {
    more = false;
    for (const std::vector<std::size_t>& list : lists) {
      if (place >= list.size()) continue;
      all.push_back(list[place]);
      more = true;
    }
  }
  return all;
}

}  // namespace

PointOrder order_points(const std::vector<SweepPoint>& points, std::uint64_t seed) {
  PointOrder order;
  std::map<std::string, const Config*> defaults;  // by variant
  std::map<std::string, std::vector<std::size_t>> by_axes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].rejected) continue;
    const Config& config = points[i].request.config;
    const auto [known, is_first] = defaults.emplace(config.string("variant"), &config);
    if (is_first) {
      order.first.push_back(i);
    } else {
      by_axes[varied(config, *known->second)].push_back(i);
    }
  }
  Random random(seed);
  std::vector<std::vector<std::size_t>> lists;
  for (auto& [axes, list] : by_axes) {
    random.shuffle(list);
    lists.push_back(std::move(list));
  }
  random.shuffle(lists);
  order.rest = interleave(lists);
  return order;
}

std::size_t SweepGroup::points_to_do() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(points, [](const SweepPoint& point) { return point.is_open(); }));
}

SweepPoint* SweepGroup::reference_of(const SweepPoint& point) {
  SweepPoint* const chosen = anchor ? &points[*anchor] : nullptr;
  const bool takes_chosen = chosen != nullptr && chosen != &point && !point.baseline && chosen->works();
  return takes_chosen ? chosen : reference();
}

std::optional<std::size_t> choose_anchor(const SweepGroup& group) {
  const SweepPoint& baseline = group.points.front();
  if (!group.takes_anchor || !baseline.baseline || !baseline.works()) return std::nullopt;
  std::optional<std::size_t> fastest;
  for (const std::size_t i : group.order.first) {
    const SweepPoint& point = group.points[i];
    if (point.baseline || !point.works() || point.run_ns <= 0) continue;
    if (!gives_whole_result(point.key.dwarf, point.request.config.string("variant"))) continue;
    if (!fastest || point.run_ns < group.points[*fastest].run_ns) fastest = i;
  }
  const auto legal =
      std::ranges::count_if(group.points, [](const SweepPoint& each) { return !each.rejected; });
  const bool is_slow = fastest && baseline.run_ns > slow_baseline * group.points[*fastest].run_ns;
  return is_slow && legal > 2 ? fastest : std::nullopt;
}

std::vector<const DeviceInfo*> devices_of(const std::vector<SweepGroup>& groups) {
  std::vector<const DeviceInfo*> devices;
  for (const SweepGroup& group : groups) devices.push_back(&group.device);
  return devices;
}

}  // namespace dwarfsweep

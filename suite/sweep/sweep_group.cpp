#include "suite/sweep/sweep_group.hpp"

#include <algorithm>
#include <set>

#include "harness/random.hpp"

namespace dwarfsweep {

std::size_t points_to_do(const SweepGroup& group) {
  return static_cast<std::size_t>(
      std::count_if(group.points.begin(), group.points.end(),
                    [](const SweepPoint& point) { return point.rejected.empty() && !point.ended; }));
}

std::vector<SweepPoint*> preparation_order(SweepGroup& group, std::uint64_t seed) {
  std::vector<SweepPoint*> defaults;
  std::vector<SweepPoint*> others;
  std::set<std::string> variants;
  for (SweepPoint& point : group.points) {
    if (!point.rejected.empty()) continue;
    const bool first_of_variant = variants.insert(point.request.config.string("variant")).second;
    (first_of_variant ? defaults : others).push_back(&point);
  }
  Random random(seed);
  random.shuffle(others);
  defaults.insert(defaults.end(), others.begin(), others.end());
  return defaults;
}

}  // namespace dwarfsweep

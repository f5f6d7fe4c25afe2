#include "suite/sweep/time_shares.hpp"

#include <algorithm>
#include <tuple>

namespace dwarfsweep {

using std::chrono::milliseconds;

milliseconds GroupLoad::need() const {
  return spent * static_cast<long long>(points_to_do) /
         static_cast<long long>(std::max<std::size_t>(1, points_done));
}

milliseconds fair_share(std::span<const GroupLoad> groups, milliseconds left) {
  if (groups.empty() || left.count() <= 0) return milliseconds(0);
  std::vector<milliseconds> spent;
  for (const GroupLoad& group : groups) spent.push_back(group.spent);
  std::sort(spent.begin(), spent.end());
  // The level up to which `left` fills those that have spent least.
  milliseconds level{0};
  milliseconds sum{0};
  for (std::size_t count = 1; count <= spent.size(); ++count) {
    sum += spent[count - 1];
    level = (left + sum) / static_cast<long long>(count);
    if (count == spent.size() || level <= spent[count]) break;
  }
  return std::max(milliseconds(0), level - groups.front().spent);
}

std::vector<std::size_t> turns_by_need(std::span<const GroupLoad> groups, std::size_t first_device) {
  std::vector<std::size_t> turns;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].points_to_do > 0) turns.push_back(i);
  }
  const auto rank = [&](std::size_t i) {
    return std::tuple(groups[i].device != first_device, groups[i].device, groups[i].need());
  };
  std::stable_sort(turns.begin(), turns.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return turns;
}

}  // namespace dwarfsweep

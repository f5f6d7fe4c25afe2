#include "suite/sweep/shard_points.hpp"

#include <iterator>
#include <map>
#include <utility>

namespace dwarfsweep {
namespace {

// Deals points out to the shards in turn.
class Dealer {
 public:
  explicit Dealer(const Shard& shard) : shard_(shard) {}

  bool is_ours(const SweepPoint& point) {
    int& next = next_[{point.key.device_id, point.rejected.empty()}];
    const bool ours = next == shard_.index - 1;
    next = (next + 1) % shard_.count;
    return ours;
  }

 private:
  Shard shard_;
  std::map<std::pair<std::string, bool>, int> next_;  // by device, and whether the point can run
};

}  // namespace

void keep_shard(std::vector<SweepGroup>& groups, const Shard& shard) {
  if (shard.count <= 1) return;
  Dealer dealer(shard);
  for (SweepGroup& group : groups) {
    std::vector<SweepPoint> kept;
    for (SweepPoint& point : group.points) {
      // Dealt out only where it is all there is.
      const bool follows = point.baseline && group.points.size() > 1;
      if (follows || dealer.is_ours(point)) kept.push_back(std::move(point));
    }
    const bool only_baseline = group.points.size() > 1 && kept.size() == 1 && kept.front().baseline;
    if (only_baseline) kept.clear();
    group.points = std::move(kept);
  }
  std::erase_if(groups, [](const SweepGroup& group) { return group.points.empty(); });
}

}  // namespace dwarfsweep

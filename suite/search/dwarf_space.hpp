// A dwarf's space on one device, for one problem, as a search sees it.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "harness/space/space.hpp"
#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// A variant that is searched: its default configuration, fixed settings included, and the axes that vary in
/// it, with the values they take.
struct SearchedVariant {
  Config default_config;
  std::vector<Axis> axes;
};

/// One part for each variant. What is referred to outlives the space. Throws UsageError where there are more
/// than 2^63 points.
class DwarfSpace : public SearchSpace {
 public:
  DwarfSpace(const Space& space, const Problem& problem, const Capabilities& device,
             const std::vector<SearchedVariant>& variants);

  /// Lets the points of the other `count` - 1 shards be illegal; `index` from 1. Points are dealt out by the
  /// hash of their numbers, so that no value of an axis is in one shard alone.
  void keep_shard(int index, int count);

  /// Of the points that were counted.
  void set_metrics(std::map<PointNumber, CarveMetrics> metrics) { metrics_ = std::move(metrics); }
  [[nodiscard]] std::optional<CarveMetrics> carve_metrics(PointNumber point) const override {
    const auto found = metrics_.find(point);
    return found == metrics_.end() ? std::nullopt : std::optional(found->second);
  }

  [[nodiscard]] bool is_legal(PointNumber point) const override;
  [[nodiscard]] Config config(PointNumber point) const { return values(point); }
  /// The point of that configuration; none where it is not in the space. It may be illegal.
  [[nodiscard]] std::optional<PointNumber> find(const Config& config) const;

 private:
  const Space& space_;
  const Problem& problem_;
  const Capabilities& device_;
  std::uint64_t shard_ = 0;  // from 0
  std::uint64_t shards_ = 1;
  std::map<PointNumber, CarveMetrics> metrics_;
};

}  // namespace dwarfsweep

#include "suite/search/regression_forest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dwarfsweep {

RegressionForest::RegressionForest(const Samples& samples, std::size_t trees, std::size_t min_split,
                                   Random& random)
    : min_split_(std::max<std::size_t>(2, min_split)) {
  std::vector<std::uint32_t> members(samples.count());
  for (std::size_t tree = 0; tree < trees; ++tree) {
    std::iota(members.begin(), members.end(), 0U);
    roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    grow(samples, members, random);
  }
}

void RegressionForest::grow(const Samples& samples, Members members, Random& random) {
  double sum = 0;
  for (const std::uint32_t member : members) sum += samples.targets[member];
  const std::size_t node = nodes_.size();
  nodes_.push_back({0, 0, 0, sum / static_cast<double>(members.size())});
  if (members.size() < min_split_) return;
  const Cut cut = best_cut(samples, members, sum, random);
  if (!(cut.gain > 0)) return;
  const auto middle = std::partition(members.begin(), members.end(), [&](std::uint32_t member) {
    return samples.value(member, cut.feature) < cut.value;
  });
  const auto left = static_cast<std::size_t>(middle - members.begin());
  nodes_[node].feature = cut.feature;
  nodes_[node].cut = cut.value;
  grow(samples, members.first(left), random);
  nodes_[node].right = static_cast<std::uint32_t>(nodes_.size());
  grow(samples, members.subspan(left), random);
}

// The gain is the reduction of the sum of squares, up to a constant factor of the node.
RegressionForest::Cut RegressionForest::best_cut(const Samples& samples, Members members, double sum,
                                                 Random& random) const {
  const auto count = static_cast<double>(members.size());
  // Rounding must not make a node of equal targets look as if a cut gained anything.
  const double without = sum * sum / count * (1 + 1e-12);
  Cut best{0, 0, 0};
  for (std::uint32_t feature = 0; feature < samples.features; ++feature) {
    std::uint32_t low = UINT32_MAX;
    std::uint32_t high = 0;
    for (const std::uint32_t member : members) {
      low = std::min(low, samples.value(member, feature));
      high = std::max(high, samples.value(member, feature));
    }
    if (low == high) continue;
    const std::uint32_t value = low + 1 + static_cast<std::uint32_t>(random.below(high - low));
    double left_sum = 0;
    double left_count = 0;
    for (const std::uint32_t member : members) {
      const bool left = samples.value(member, feature) < value;
      left_sum += left ? samples.targets[member] : 0;
      left_count += left ? 1 : 0;
    }
    const double right_sum = sum - left_sum;
    const double gain =
        left_sum * left_sum / left_count + right_sum * right_sum / (count - left_count) - without;
    if (gain > best.gain) best = {feature, value, gain};
  }
  return best;
}

Prediction RegressionForest::predict(std::span<const std::uint32_t> features) const {
  double sum = 0;
  double squares = 0;
  for (std::uint32_t node : roots_) {
    while (nodes_[node].right != 0)
      node = features[nodes_[node].feature] < nodes_[node].cut ? node + 1 : nodes_[node].right;
    sum += nodes_[node].mean;
    squares += nodes_[node].mean * nodes_[node].mean;
  }
  const auto count = static_cast<double>(roots_.size());
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

}  // namespace dwarfsweep

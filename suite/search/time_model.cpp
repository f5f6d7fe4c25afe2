#include "suite/search/time_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {
namespace {

struct ValueOrder {
  bool operator()(const Value& left, const Value& right) const { return comes_before(left, right); }
};

}  // namespace

FeatureMap::FeatureMap(const SearchSpace& space) : space_(space) {
  std::map<std::string, std::map<Value, std::uint32_t, ValueOrder>> ranks;
  for (const SpacePart& part : space.parts()) {
    for (const SearchAxis& axis : part.axes) {
      if (ranks.count(axis.name) == 0) names_.push_back(axis.name);
      for (const Value& value : axis.values) ranks[axis.name][value] = 0;
    }
  }
  for (auto& [name, values] : ranks) {
    std::uint32_t rank = 0;
    for (auto& [value, each] : values) each = ++rank;
  }
  for (const SpacePart& part : space.parts()) {
    std::vector<AxisFeature>& axes = axes_.emplace_back();
    for (const SearchAxis& axis : part.axes) {
      const auto name = std::ranges::find(names_, axis.name);
      AxisFeature& feature =
          axes.emplace_back(AxisFeature{static_cast<std::size_t>(name - names_.begin()) + 1, {}});
      for (const Value& value : axis.values) feature.ranks.push_back(ranks[axis.name][value]);
    }
  }
}

void FeatureMap::append(PointNumber point, std::vector<std::uint32_t>& features) const {
  const Coordinates at = space_.coordinates(point);
  const std::size_t begin = features.size();
  features.resize(begin + count(), 0);
  features[begin] = static_cast<std::uint32_t>(at.part);
  for (std::size_t i = 0; i < at.digits.size(); ++i) {
    const AxisFeature& axis = axes_[at.part][i];
    features[begin + axis.feature] = axis.ranks[at.digits[i]];
  }
}

Samples samples_of(const Archive& archive, const FeatureMap& features) {
  Samples samples{features.count()};
  std::vector<double> logarithms;
  for (const Evaluation& evaluation : archive.evaluations()) {
    features.append(evaluation.point, samples.values);
    if (evaluation.time) logarithms.push_back(std::log(*evaluation.time));
  }
  double slowest = 0;
  if (!logarithms.empty()) {
    const auto place = static_cast<std::ptrdiff_t>(search_parameters.resolved_share *
                                                   static_cast<double>(logarithms.size() - 1));
    std::nth_element(logarithms.begin(), logarithms.begin() + place, logarithms.end());
    slowest = logarithms[static_cast<std::size_t>(place)];
  }
  for (const Evaluation& evaluation : archive.evaluations())
    samples.targets.push_back(evaluation.time ? std::min(slowest, std::log(*evaluation.time)) : slowest);
  return samples;
}

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

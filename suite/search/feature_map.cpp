#include "suite/search/feature_map.hpp"

#include <algorithm>
#include <map>

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
      const auto name = std::find(names_.begin(), names_.end(), axis.name);
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

}  // namespace dwarfsweep

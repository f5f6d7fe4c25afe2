// Points as a model of times sees them.
#pragma once

#include <cstdint>
#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// The part, and the rank of the value of every axis that any part has: axes of the same name are one
/// feature, in all parts with the same ranks. An axis that a part does not have is 0 there.
class FeatureMap {
 public:
  explicit FeatureMap(const SearchSpace& space);

  [[nodiscard]] std::size_t count() const { return names_.size() + 1; }
  /// Appends the point's features.
  void append(PointNumber point, std::vector<std::uint32_t>& features) const;

 private:
  struct AxisFeature {
    std::size_t feature;
    std::vector<std::uint32_t> ranks;  ///< of each digit, from 1
  };

  const SearchSpace& space_;
  std::vector<std::string> names_;
  std::vector<std::vector<AxisFeature>> axes_;  ///< of each part
};

}  // namespace dwarfsweep

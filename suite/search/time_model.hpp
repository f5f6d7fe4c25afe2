// The model of times that the strategy `auto` chooses by: what it sees of a point, and a regression.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/statistics/random.hpp"
#include "suite/search/strategy.hpp"

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

/// Samples with the same number of features each, one sample after the other.
struct Samples {
  std::size_t features = 0;
  std::vector<std::uint32_t> values = {};
  std::vector<double> targets = {};

  [[nodiscard]] std::size_t count() const { return targets.size(); }
  [[nodiscard]] std::uint32_t value(std::size_t sample, std::size_t feature) const {
    return values[sample * features + feature];
  }
};

/// The logarithms of the times. Points slower than a share of all, and failed ones, count as slow as that:
/// how bad a bad point is says nothing about the good ones, and would take most of the trees' cuts.
Samples samples_of(const Archive& archive, const FeatureMap& features);

struct Prediction {
  double mean = 0;
  double deviation = 0;  ///< standard deviation between the trees
};

/// Extremely randomised trees (Geurts, Ernst, Wehenkel, "Extremely randomized trees", Machine Learning 63,
/// 2006): each node tries one random cut of each of its features and keeps the best; every tree sees all
/// samples. Deterministic by the seed.
class RegressionForest {
 public:
  /// Nodes of less than `min_split` samples are leaves. `samples` is not empty.
  RegressionForest(const Samples& samples, std::size_t trees, std::size_t min_split, Random& random);

  [[nodiscard]] Prediction predict(std::span<const std::uint32_t> features) const;

 private:
  struct Node {
    std::uint32_t feature = 0;
    std::uint32_t cut = 0;    // values below go to the next node, others to `right`
    std::uint32_t right = 0;  // 0: a leaf
    double mean = 0;
  };
  struct Cut {
    std::uint32_t feature;
    std::uint32_t value;
    double gain;
  };
  using Members = std::span<std::uint32_t>;

  void grow(const Samples& samples, Members members, Random& random);
  [[nodiscard]] Cut best_cut(const Samples& samples, Members members, double sum, Random& random) const;

  std::size_t min_split_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> roots_;
};

}  // namespace dwarfsweep

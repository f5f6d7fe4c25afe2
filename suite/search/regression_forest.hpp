// Regression by extremely randomised trees (Geurts, Ernst, Wehenkel, "Extremely randomized trees", Machine
// Learning 63, 2006): each node tries one random cut of each of its features and keeps the best; every tree
// sees all samples. Deterministic by the seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/statistics/random.hpp"

namespace dwarfsweep {

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

struct Prediction {
  double mean = 0;
  double deviation = 0;  ///< standard deviation between the trees
};

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

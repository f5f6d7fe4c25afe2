// Points to be clustered, and the problem's sizes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/kmeans/reference_step.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::kmeans {

struct Shape {
  std::int64_t points = 0, features = 0, clusters = 0;
  int iterations = 1;
};

/// Throws UsageError where there are more clusters than points.
Shape shape_of(const Problem& problem);

class KmeansInput final : public Input {
 public:
  /// `points` is points x features; the first points are the first centroids. `grain`: all values are
  /// multiples of it; 0: not known. Throws UsageError where squared distances would overflow single
  /// precision.
  KmeansInput(const Shape& shape, std::vector<float> points, double grain);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const std::vector<float>& points() const { return points_; }
  [[nodiscard]] const std::vector<float>& centroids() const {
    return centroids_;
  }  ///< the first, clusters x features
  [[nodiscard]] double grain() const { return grain_; }
  [[nodiscard]] double max_magnitude() const {
    return max_magnitude_;
  }  ///< largest absolute value of a feature
  [[nodiscard]] std::shared_ptr<const ReferenceStep> reference_step(const std::vector<float>& from) const {
    return steps_.from(*this, from);
  }

 private:
  Shape shape_;
  std::vector<float> points_;
  std::vector<float> centroids_;
  double grain_ = 0;
  double max_magnitude_ = 0;
  mutable ReferenceSteps steps_;
};

/// Clouds around random centres, coarse enough for exact sums of some thousand points.
std::shared_ptr<const KmeansInput> generated_input(const Shape& shape, std::uint64_t seed);

/// Reads a table of points (harness/formats/points.hpp); clusters and iterations come from the request or the
/// defaults of `keys`. Throws UsageError and InputError.
Loaded load_points(const ValueMap& request, const std::string& file, const std::vector<ProblemKey>& keys);

}  // namespace dwarfsweep::kmeans

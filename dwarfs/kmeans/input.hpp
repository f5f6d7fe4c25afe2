// The points of kmeans, the reference steps, and the check of an outcome.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dwarfs/roundoff.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::kmeans {

class KmeansInput;

/// What follows from centroids. Sums are clusters x features.
struct ReferenceStep {
  std::vector<float> from;              ///< those centroids
  std::vector<std::int32_t> twin;       ///< of each cluster: the lowest one with the same centroid
  std::vector<std::int32_t> nearest;    ///< of each point
  std::vector<double> sums;             ///< of the features of a cluster's points
  std::vector<double> magnitudes;       ///< the same of absolute values
  std::vector<std::int64_t> numbers;    ///< points of each cluster
  std::vector<std::int64_t> uncertain;  ///< points that this cluster, or by rounding another, may have
};

/// The steps of one input that have been computed. The step from the first centroids is kept for good; of
/// later ones, whose centroids differ by a rounding from one point of the space to the next, a few.
class ReferenceSteps {
 public:
  std::shared_ptr<const ReferenceStep> from(const KmeansInput& input, const std::vector<float>& centroids);

 private:
  std::mutex mutex_;
  std::list<std::shared_ptr<const ReferenceStep>> steps_;
};

// --- single precision ---

inline constexpr double smallest_normal = 0x1p-126;

double squared_distance(const float* point, const float* centroid, std::int64_t features);

/// Whether a device that computes in single precision may find `distance` to be the smallest, where
/// `smallest` is.
bool may_be_smallest(double distance, double smallest, std::int64_t features);

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

/// How sums are rounded: additions one after the other within a partial sum, points that it covers, and
/// additions that make the total of the partial sums.
struct Rounding {
  std::int64_t in_part = 0;
  std::int64_t part_points = 0;
  std::int64_t of_parts = 0;
};

/// The result of a run: the assignments of its last step, the centroids (clusters x features) after each.
struct Outcome {
  std::vector<std::int32_t> assignments;
  std::vector<std::vector<float>> centroids;
};

Check check_outcome(const KmeansInput& input, const Outcome& outcome, const Rounding& rounding);

}  // namespace dwarfsweep::kmeans

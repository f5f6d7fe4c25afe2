// One step of Lloyd's iteration in double precision, which results are compared with.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

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

inline constexpr double unit_roundoff = 0x1p-24;
inline constexpr double smallest_normal = 0x1p-126;

/// The relative error of so many roundings, one after the other.
constexpr double gamma(double roundings) {
  return roundings * unit_roundoff / (1 - roundings * unit_roundoff);
}

double squared_distance(const float* point, const float* centroid, std::int64_t features);

/// Whether a device that computes in single precision may find `distance` to be the smallest, where
/// `smallest` is.
bool may_be_smallest(double distance, double smallest, std::int64_t features);

}  // namespace dwarfsweep::kmeans

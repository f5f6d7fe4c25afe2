// Bytes and operations of a step, as dwarfs/kmeans/kmeans.cpp counts them.
#pragma once

#include <string>

#include "dwarfs/kmeans/input.hpp"

namespace dwarfsweep::kmeans {

class StepWork {
 public:
  explicit StepWork(const Shape& shape)
      : points_(static_cast<double>(shape.points)),
        features_(static_cast<double>(shape.features)),
        clusters_(static_cast<double>(shape.clusters)),
        steps_(shape.iterations) {}

  [[nodiscard]] double point_bytes() const { return 4.0 * points_ * features_; }
  [[nodiscard]] double assignment_bytes() const { return 4.0 * points_; }
  [[nodiscard]] double centroid_bytes() const { return 4.0 * features_ * clusters_; }
  [[nodiscard]] double assign_operations() const { return 3.0 * points_ * features_ * clusters_; }
  [[nodiscard]] double update_operations() const { return points_ * features_; }

  /// Of all steps, from the bytes and operations of one.
  [[nodiscard]] Work of(const std::string& kernel, double bytes, double operations) const {
    return {kernel, bytes * steps_, operations * steps_, points_ * steps_};
  }
  [[nodiscard]] Work total() const {
    return of("total", point_bytes() + assignment_bytes() + 2 * centroid_bytes(),
              assign_operations() + update_operations());
  }
  [[nodiscard]] Work assign() const {
    return of("assign", point_bytes() + assignment_bytes() + centroid_bytes(), assign_operations());
  }

 private:
  double points_, features_, clusters_, steps_;
};

}  // namespace dwarfsweep::kmeans

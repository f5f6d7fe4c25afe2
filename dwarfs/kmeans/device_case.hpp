// What all cases of kmeans share: points in device memory, centroids of all steps, the assignment, the check.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dwarfs/kmeans/geometry.hpp"
#include "dwarfs/kmeans/input.hpp"
#include "dwarfs/kmeans/kmeans.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::kmeans {

// Bytes and operations of a step, as dwarfs/kmeans/kmeans.cpp counts them.

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

  /// The work of all steps, from the bytes and operations of one.
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

// The points in device memory, in the layout that the axes ask for, and what kernels read them through.

class DevicePoints {
 public:
  /// A buffer or an image, as the axis `source` says.
  DevicePoints(Workspace& workspace, const KmeansInput& input, const Geometry& geometry,
               const std::string& source);

  /// Throws PointFailure where the device allows no image of that size.
  void upload();

  /// Enqueues `groups` groups of `items` of a kernel whose first argument is the points.
  template <typename... Arguments>
  void run(Launcher& launcher, Kernel& kernel, std::int64_t groups, std::int64_t items,
           const Arguments&... arguments) const {
    const Range global(static_cast<std::size_t>(groups * items));
    const Range local(static_cast<std::size_t>(items));
    if (by_image_) {
      launcher.run(kernel, global, local, image_, arguments...);
    } else {
      launcher.run(kernel, global, local, buffer_, arguments...);
    }
  }

 private:
  void make_image();
  [[nodiscard]] std::vector<float> arranged() const;

  Workspace& workspace_;
  const KmeansInput& input_;
  const Geometry& geometry_;
  bool by_image_;
  Buffer<float> buffer_;
  cl::Buffer image_memory_;
  cl::Image1DBuffer image_;
};

// What all cases of kmeans share: points in device memory, centroids of all steps, the assignment, the check.

class KmeansCase : public Case {
 public:
  void upload() override;
  void download() override;
  [[nodiscard]] Check check() const override { return check_outcome(*input_, outcome_, rounding()); }
  void dump(DumpSink& sink) const override;

 protected:
  explicit KmeansCase(const Setup& setup);

  [[nodiscard]] virtual Rounding rounding() const = 0;

  void run_assign(Launcher& launcher, Kernel& assign, const Buffer<float>& centroids);

  // Arguments of the kernels.
  [[nodiscard]] cl_int count() const { return static_cast<cl_int>(shape_.points); }
  [[nodiscard]] cl_ulong stride() const { return static_cast<cl_ulong>(geometry_.stride); }

  /// Centroids as they lie on the device, zeros behind a cluster's features, and back.
  [[nodiscard]] std::vector<float> with_padding(const std::vector<float>& centroids) const;
  [[nodiscard]] std::vector<float> without_padding(const std::vector<float>& padded) const;

  Workspace& workspace_;
  std::shared_ptr<const KmeansInput> input_;
  const Shape& shape_;
  Geometry geometry_;
  StepWork step_work_;
  DevicePoints points_;
  Buffer<cl_int> assignments_;
  Macros macros_;
  std::vector<Buffer<float>> centroids_;  // before the first step, and after each

 private:
  Outcome outcome_;
};

}  // namespace dwarfsweep::kmeans

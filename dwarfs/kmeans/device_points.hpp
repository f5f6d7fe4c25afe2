// The points in device memory, in the layout that the axes ask for, and what kernels read them through.
#pragma once

#include <vector>

#include "dwarfs/kmeans/geometry.hpp"
#include "dwarfs/kmeans/input.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::kmeans {

class DevicePoints {
 public:
  /// By the axis source a buffer or an image.
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

}  // namespace dwarfsweep::kmeans

#include "dwarfs/kmeans/device_points.hpp"

#include <fmt/format.h>

#include "harness/run/setup.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep::kmeans {

namespace {
constexpr std::int64_t slack = 16;  // elements behind the points that a vector may read
}

DevicePoints::DevicePoints(Workspace& workspace, const KmeansInput& input, const Geometry& geometry,
                           const std::string& source)
    : workspace_(workspace),
      input_(input),
      geometry_(geometry),
      by_image_(source == "image"),
      buffer_(workspace.allocate<float>("points", static_cast<std::size_t>(geometry.elements + slack),
                                        Role::input)) {}

// An image needs memory of its own: not every driver makes one of a part of a buffer, which the workspace's
// buffers are.
void DevicePoints::make_image() {
  const bool wide = geometry_.width == 4;
  const std::size_t pixels = buffer_.count / (wide ? 4 : 1);
  const cl::Context& context = workspace_.session().context();
  const cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>().front();
  const std::size_t most = device.getInfo<CL_DEVICE_IMAGE_MAX_BUFFER_SIZE>();
  if (pixels > most) {
    throw PointFailure(Status::rejected, fmt::format("an image over the points needs {} pixels, {} allows {}",
                                                     pixels, workspace_.device().name, most));
  }
  image_memory_ = cl::Buffer(context, CL_MEM_READ_WRITE, buffer_.count * sizeof(float));
  image_ = cl::Image1DBuffer(context, CL_MEM_READ_ONLY, cl::ImageFormat(wide ? CL_RGBA : CL_R, CL_FLOAT),
                             pixels, image_memory_);
}

void DevicePoints::upload() {
  workspace_.upload(arranged(), buffer_);
  if (by_image_) {
    make_image();
    workspace_.session().queue().enqueueCopyBuffer(buffer_.buffer, image_memory_, 0, 0,
                                                   buffer_.count * sizeof(float));
  }
}

// Element (point, feature) lies as kernels_cl/kmeans/kmeans.cl says.
std::vector<float> DevicePoints::arranged() const {
  std::vector<float> to(buffer_.count, 0);
  const std::vector<float>& from = input_.points();
  const Shape& shape = input_.shape();
  const Geometry& g = geometry_;
  const std::int64_t tile = g.memory_tile;
  for (std::int64_t p = 0; p < shape.points; ++p) {
    const std::int64_t base = !g.by_feature ? p * g.row
                              : g.tiled     ? p / tile * tile * shape.features + p % tile
                                            : p;
    const std::int64_t step = !g.by_feature ? 1 : g.tiled ? tile : g.stride;
    for (std::int64_t f = 0; f < shape.features; ++f)
      to[static_cast<std::size_t>(base + f * step)] = from[static_cast<std::size_t>(p * shape.features + f)];
  }
  return to;
}

}  // namespace dwarfsweep::kmeans

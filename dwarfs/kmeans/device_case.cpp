#include "dwarfs/kmeans/device_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/run/setup.hpp"
#include "harness/space/error.hpp"
#include "harness/space/rounding.hpp"

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
  if (by_image_ && !workspace_.session().dry_run()) {
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
#pragma omp parallel for schedule(static)
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

KmeansCase::KmeansCase(const Setup& setup)
    : workspace_(setup.workspace),
      input_(setup.input<KmeansInput>()),
      shape_(input_->shape()),
      geometry_(setup.config, setup.loaded.problem, setup.device().capabilities),
      step_work_(shape_),
      points_(workspace_, *input_, geometry_, setup.string("source")),
      assignments_(
          workspace_.allocate<cl_int>("assignments", static_cast<std::size_t>(shape_.points), Role::output)),
      macros_(setup.macros()) {
  define_macros(macros_, geometry_);
  const auto set = static_cast<std::size_t>(geometry_.set());
  centroids_.push_back(workspace_.allocate<float>("first centroids", set, Role::input));
  for (int i = 1; i <= shape_.iterations; ++i)
    centroids_.push_back(workspace_.allocate<float>(fmt::format("centroids {}", i), set, Role::output));
}

void KmeansCase::upload() {
  points_.upload();
  workspace_.upload(with_padding(input_->centroids()), centroids_.front());
}

void KmeansCase::download() {
  workspace_.download(assignments_, outcome_.assignments);
  outcome_.centroids.clear();
  for (std::size_t i = 1; i < centroids_.size(); ++i) {
    std::vector<float> padded;
    workspace_.download(centroids_[i], padded);
    outcome_.centroids.push_back(without_padding(padded));
  }
}

void KmeansCase::dump(DumpSink& sink) const {
  const auto points = static_cast<std::size_t>(shape_.points);
  const auto features = static_cast<std::size_t>(shape_.features);
  const auto clusters = static_cast<std::size_t>(shape_.clusters);
  sink.array("points", std::span<const float>(input_->points()), {points, features});
  sink.array("centroids_in", std::span<const float>(input_->centroids()), {clusters, features});
  sink.array("assignments", std::span<const std::int32_t>(outcome_.assignments), {points});
  sink.array("centroids", std::span<const float>(outcome_.centroids.back()), {clusters, features});
}

void KmeansCase::run_assign(Launcher& launcher, Kernel& assign, const Buffer<float>& centroids) {
  points_.run(launcher, assign, ceil_div(shape_.points, geometry_.tile_points), geometry_.group, centroids,
              assignments_, count(), stride());
}

std::vector<float> KmeansCase::with_padding(const std::vector<float>& centroids) const {
  std::vector<float> padded(static_cast<std::size_t>(geometry_.set()), 0);
  for (std::int64_t k = 0; k < shape_.clusters; ++k) {
    std::copy_n(centroids.begin() + k * shape_.features, shape_.features,
                padded.begin() + k * geometry_.centroid_stride);
  }
  return padded;
}

std::vector<float> KmeansCase::without_padding(const std::vector<float>& padded) const {
  std::vector<float> centroids(input_->centroids().size());
  for (std::int64_t k = 0; k < shape_.clusters; ++k) {
    std::copy_n(padded.begin() + k * geometry_.centroid_stride, shape_.features,
                centroids.begin() + k * shape_.features);
  }
  return centroids;
}

std::unique_ptr<Case> make_case(const Setup& setup) {
  return setup.string("variant") == "assign_only" ? assign_only_case(setup) : reducing_case(setup);
}

}  // namespace dwarfsweep::kmeans

#include "dwarfs/kmeans/device_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::kmeans {

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

}  // namespace dwarfsweep::kmeans

// The cases of kmeans on a device: buffers, launches, and the reading of what came of them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dwarfs/kmeans/geometry.hpp"
#include "dwarfs/kmeans/verification.hpp"
#include "harness/dwarf.hpp"
#include "harness/status.hpp"

namespace dwarfsweep::kmeans {

inline constexpr std::int64_t slack = 16;  // elements behind the points that a vector may read
inline constexpr std::int64_t max_partial_sums = 1LL << 26;  // 256 MiB

// What all variants share: points as they lie on the device, centroids of all steps, the assignment, the
// check.
class KmeansCase : public Case {
 public:
  KmeansCase(Workspace& workspace, const Loaded& loaded, const Space& space, const Config& config)
      : workspace_(workspace),
        input_(std::static_pointer_cast<const KmeansInput>(loaded.input)),
        shape_(input_->shape()),
        geometry_(config, loaded.problem),
        device_(workspace.device()),
        on_gpu_(device_.capabilities.is_gpu),
        tile_(on_gpu_ ? 32 : 16),
        finish_(finish_of(device_.capabilities)),
        sum_group_(on_gpu_ ? 64 : 1),
        by_tiles_(sums_by_tiles(config.string("variant"), geometry_, device_.capabilities)),
        by_image_(config.string("source") == "image") {
    if (geometry_.tiled) geometry_.elements = round_up(shape_.points, tile_) * shape_.features;
    options_ = to_build_options(space, config) +
               fmt::format(
                   " -D FEATURES={} -D CLUSTERS={} -D ROW={} -D TILE={} -D ALIGNED={} -D SUM_GROUP={} "
                   "-D SUMS_BY_TILES={} -D SUMS_ON_CHIP={} -D FINISH_OUTPUTS={} -D FINISH_LANES={}",
                   shape_.features, shape_.clusters, geometry_.row, tile_, geometry_.aligned ? 1 : 0,
                   sum_group_, by_tiles_ ? 1 : 0, sums_on_chip(geometry_, device_.capabilities) ? 1 : 0,
                   finish_.outputs, finish_.lanes);
    points_ = workspace.allocate<float>("points", static_cast<std::size_t>(geometry_.elements + slack),
                                        Role::input);
    if (by_image_) make_image();
    assignments_ =
        workspace.allocate<cl_int>("assignments", static_cast<std::size_t>(shape_.points), Role::output);
    const auto set = static_cast<std::size_t>(geometry_.set());
    centroids_.push_back(workspace.allocate<float>("first centroids", set, Role::input));
    for (int i = 1; i <= shape_.iterations; ++i)
      centroids_.push_back(workspace.allocate<float>(fmt::format("centroids {}", i), set, Role::output));
  }

  void upload() override {
    workspace_.upload(arranged_points(), points_);
    if (by_image_)
      workspace_.session().queue().enqueueCopyBuffer(points_.buffer, image_memory_, 0, 0,
                                                     points_.count * sizeof(float));
    workspace_.upload(with_padding(input_->centroids()), centroids_.front());
  }

  void reset() override {}

  void download() override {
    workspace_.download(assignments_, outcome_.assignments);
    outcome_.centroids.clear();
    for (std::size_t i = 1; i < centroids_.size(); ++i) {
      std::vector<float> padded;
      workspace_.download(centroids_[i], padded);
      outcome_.centroids.push_back(without_padding(padded));
    }
  }

  [[nodiscard]] Check check() const override { return input_->check(outcome_, rounding()); }

  void dump(DumpSink& sink) const override {
    const auto points = static_cast<std::size_t>(shape_.points);
    const auto features = static_cast<std::size_t>(shape_.features);
    const auto clusters = static_cast<std::size_t>(shape_.clusters);
    sink.array("points", std::span<const float>(input_->points()), {points, features});
    sink.array("centroids_in", std::span<const float>(input_->centroids()), {clusters, features});
    sink.array("assignments", std::span<const std::int32_t>(outcome_.assignments), {points});
    sink.array("centroids", std::span<const float>(outcome_.centroids.back()), {clusters, features});
  }

 protected:
  [[nodiscard]] virtual Rounding rounding() const = 0;

  Kernel kernel(const std::string& function, const std::string& name) {
    return workspace_.kernel("kmeans/kmeans", options_, function, name);
  }

  // A kernel whose first argument is the points.
  template <typename... Arguments>
  void run_on_points(Launcher& launcher, Kernel& kernel, std::int64_t groups, std::int64_t items,
                     const Arguments&... arguments) {
    const Range global(static_cast<std::size_t>(groups * items));
    const Range local(static_cast<std::size_t>(items));
    if (by_image_) {
      launcher.run(kernel, global, local, image_, arguments...);
    } else {
      launcher.run(kernel, global, local, points_, arguments...);
    }
  }

  void run_assign(Launcher& launcher, Kernel& assign, const Buffer<float>& centroids) {
    run_on_points(launcher, assign, ceil_div(shape_.points, geometry_.tile_points), geometry_.group,
                  centroids, assignments_, count(), stride());
  }

  [[nodiscard]] cl_int count() const { return static_cast<cl_int>(shape_.points); }
  [[nodiscard]] cl_ulong stride() const { return static_cast<cl_ulong>(geometry_.stride); }
  [[nodiscard]] double steps_times(double value) const { return value * shape_.iterations; }

  // Per step: bytes of the points, of the assignments and of the centroids; operations of either kernel.
  [[nodiscard]] double point_bytes() const { return 4.0 * points() * features(); }
  [[nodiscard]] double assignment_bytes() const { return 4.0 * points(); }
  [[nodiscard]] double centroid_bytes() const { return 4.0 * features() * clusters(); }
  [[nodiscard]] double assign_operations() const { return 3.0 * points() * features() * clusters(); }
  [[nodiscard]] double update_operations() const { return points() * features(); }
  [[nodiscard]] Work work_of(const std::string& name, double bytes, double operations) const {
    return {name, steps_times(bytes), steps_times(operations), steps_times(points())};
  }
  [[nodiscard]] Work assign_work() const {
    return work_of("assign", point_bytes() + assignment_bytes() + centroid_bytes(), assign_operations());
  }

  [[nodiscard]] std::vector<float> with_padding(const std::vector<float>& centroids) const {
    std::vector<float> padded(static_cast<std::size_t>(geometry_.set()), 0);
    for (std::int64_t k = 0; k < shape_.clusters; ++k) {
      std::copy_n(centroids.begin() + k * shape_.features, shape_.features,
                  padded.begin() + k * geometry_.centroid_stride);
    }
    return padded;
  }
  [[nodiscard]] std::vector<float> without_padding(const std::vector<float>& padded) const {
    std::vector<float> centroids(input_->centroids().size());
    for (std::int64_t k = 0; k < shape_.clusters; ++k) {
      std::copy_n(padded.begin() + k * geometry_.centroid_stride, shape_.features,
                  centroids.begin() + k * shape_.features);
    }
    return centroids;
  }

  Workspace& workspace_;  // NOLINT(*-non-private-member-variables-in-classes)
  std::shared_ptr<const KmeansInput> input_;
  const Shape& shape_;
  Geometry geometry_;
  const DeviceInfo& device_;
  bool on_gpu_;
  std::int64_t tile_;
  Finish finish_;
  std::int64_t sum_group_;
  bool by_tiles_;
  std::string options_;
  Buffer<cl_int> assignments_;
  std::vector<Buffer<float>> centroids_;  // before the first step, and after each

 private:
  [[nodiscard]] double points() const { return static_cast<double>(shape_.points); }
  [[nodiscard]] double features() const { return static_cast<double>(shape_.features); }
  [[nodiscard]] double clusters() const { return static_cast<double>(shape_.clusters); }

  // An image needs memory of its own: not every driver makes one of a part of a buffer, which the workspace's
  // buffers are.
  void make_image() {
    const bool wide = geometry_.width == 4;
    const std::size_t pixels = points_.count / (wide ? 4 : 1);
    const cl::Device device = workspace_.session().context().getInfo<CL_CONTEXT_DEVICES>().front();
    const std::size_t most = device.getInfo<CL_DEVICE_IMAGE_MAX_BUFFER_SIZE>();
    if (pixels > most) {
      throw PointFailure(
          Status::rejected,
          fmt::format("an image over the points needs {} pixels, {} allows {}", pixels, device_.name, most));
    }
    image_memory_ =
        cl::Buffer(workspace_.session().context(), CL_MEM_READ_WRITE, points_.count * sizeof(float));
    image_ = cl::Image1DBuffer(workspace_.session().context(), CL_MEM_READ_ONLY,
                               cl::ImageFormat(wide ? CL_RGBA : CL_R, CL_FLOAT), pixels, image_memory_);
  }

  [[nodiscard]] std::vector<float> arranged_points() const {
    std::vector<float> to(points_.count, 0);
    const std::vector<float>& from = input_->points();
    const Geometry& g = geometry_;
    for (std::int64_t p = 0; p < shape_.points; ++p) {
      const std::int64_t base = !g.by_point ? p * g.row
                                : g.tiled   ? p / tile_ * tile_ * shape_.features + p % tile_
                                            : p;
      const std::int64_t step = !g.by_point ? 1 : g.tiled ? tile_ : g.stride;
      for (std::int64_t f = 0; f < shape_.features; ++f) {
        to[static_cast<std::size_t>(base + f * step)] =
            from[static_cast<std::size_t>(p * shape_.features + f)];
      }
    }
    return to;
  }

  bool by_image_;
  Buffer<float> points_;
  cl::Buffer image_memory_;
  cl::Image1DBuffer image_;
  Outcome outcome_;
};

// Assignments on the device, centroids on the host.
class AssignOnlyCase final : public KmeansCase {
 public:
  AssignOnlyCase(Workspace& workspace, const Loaded& loaded, const Space& space, const Config& config)
      : KmeansCase(workspace, loaded, space, config), assign_(kernel("assign", "assign")) {}

  void launch(Launcher& launcher) override {
    std::vector<float> previous = input_->centroids();
    std::vector<float> next;
    std::vector<cl_int> assignments(assignments_.count);
    for (std::size_t i = 1; i < centroids_.size(); ++i) {
      run_assign(launcher, assign_, centroids_[i - 1]);
      launcher.read(assignments_, assignments.data(), assignments.size());
      update_on_host(*input_, assignments, previous, next);
      const std::vector<float> padded = with_padding(next);
      launcher.write(padded.data(), centroids_[i], padded.size());
      std::swap(previous, next);
    }
  }

  [[nodiscard]] std::vector<Work> work() const override {
    Work total = assign_work();
    total.kernel = "total";
    return {assign_work(), total};
  }

 private:
  // In double precision.
  [[nodiscard]] Rounding rounding() const override { return {}; }

  Kernel assign_;
};

// Partial sums on the device, and their total: `reduce` and `fused`.
class ReducingCase final : public KmeansCase {
 public:
  ReducingCase(Workspace& workspace, const Loaded& loaded, const Space& space, const Config& config)
      : KmeansCase(workspace, loaded, space, config),
        fused_(config.string("variant") == "fused"),
        sums_(kernel(by_tiles_ ? "tile_sums" : "sums", fused_ ? "assign" : "update")),
        total_(kernel("finish", "update")) {
    if (!fused_) assign_ = kernel("assign", "assign");
    const std::int64_t most = std::max<std::int64_t>(1, max_partial_sums / geometry_.set());
    const std::int64_t wanted = device_.capabilities.compute_units * config.integer("groups_per_unit");
    split(std::clamp<std::int64_t>(wanted, 1, most));
    partial_ = workspace.allocate<float>("partial sums", static_cast<std::size_t>(sets_ * geometry_.set()),
                                         Role::scratch);
    numbers_ = workspace.allocate<cl_int>("partial numbers",
                                          static_cast<std::size_t>(sets_ * shape_.clusters), Role::scratch);
  }

  void launch(Launcher& launcher) override {
    for (std::size_t i = 1; i < centroids_.size(); ++i) {
      const Buffer<float>& previous = centroids_[i - 1];
      if (!fused_) run_assign(launcher, assign_, previous);
      const auto part = static_cast<cl_int>(part_);
      if (by_tiles_) {
        run_on_points(launcher, sums_, sets_, geometry_.group, previous, assignments_, partial_, numbers_,
                      count(), part, stride());
      } else {
        run_on_points(launcher, sums_, sets_, sum_group_, assignments_, partial_, numbers_, count(), part,
                      stride());
      }
      run_finish(launcher, previous, centroids_[i]);
    }
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const double set_bytes =
        4.0 * static_cast<double>(sets_) * static_cast<double>(geometry_.set() + shape_.clusters);
    const Work total = work_of("total", point_bytes() + assignment_bytes() + 2 * centroid_bytes(),
                               assign_operations() + update_operations());
    Work assign = assign_work();
    if (!fused_) {
      return {assign,
              work_of("update", point_bytes() + assignment_bytes() + centroid_bytes() + 2 * set_bytes,
                      update_operations() + set_bytes / 4),
              total};
    }
    assign.bytes += steps_times(set_bytes);
    assign.operations += steps_times(update_operations());
    return {assign, work_of("update", set_bytes + centroid_bytes(), set_bytes / 4), total};
  }

 private:
  // Shares the points out to at most `most` groups. Tiles of GPUs are dealt out in turn, so that all groups
  // have some.
  void split(std::int64_t most) {
    if (!by_tiles_) {
      part_ = std::max<std::int64_t>(64, ceil_div(shape_.points, most));
      sets_ = ceil_div(shape_.points, part_);
      return;
    }
    const std::int64_t tiles = ceil_div(shape_.points, geometry_.tile_points);
    part_ = ceil_div(tiles, most);
    sets_ = on_gpu_ ? std::min(most, tiles) : ceil_div(tiles, part_);
  }

  void run_finish(Launcher& launcher, const Buffer<float>& previous, const Buffer<float>& next) {
    const auto items = static_cast<std::size_t>(finish_.outputs * finish_.lanes);
    const auto groups = static_cast<std::size_t>(ceil_div(geometry_.set(), finish_.outputs));
    launcher.run(total_, Range(groups * items), Range(items), partial_, numbers_, previous, next,
                 static_cast<cl_int>(sets_));
  }

  // By tiles: a work-item's vectors of points, the folding of a vector, and the lanes of a row. In `finish`:
  // the sets of a lane, and the tree over lanes.
  [[nodiscard]] Rounding rounding() const override {
    const std::int64_t of_parts =
        ceil_div(sets_, finish_.lanes) + std::bit_width(static_cast<std::uint64_t>(finish_.lanes));
    if (!by_tiles_) return {part_, part_, of_parts};
    const std::int64_t points = part_ * geometry_.tile_points;
    return {points / geometry_.point_lanes / geometry_.lanes + 4 + geometry_.lanes, points, of_parts};
  }

  bool fused_;
  Kernel assign_, sums_, total_;
  std::int64_t part_ = 1;  // tiles or points of a group
  std::int64_t sets_ = 1;  // groups
  Buffer<float> partial_;
  Buffer<cl_int> numbers_;
};

}  // namespace dwarfsweep::kmeans

// k-means (data mining): the cases on a device, and what the dwarf tells of itself. The method is in
// kernels_cl/kmeans.cl, the reference and its tolerances in kmeans_reference, the host's versions in
// kmeans_host.
//
// The first `clusters` points are the first centroids. A tie goes to the lowest cluster; a cluster without
// points keeps its centroid. With several iterations `assignments` are those of the last step, and the
// centroids those it makes; `reduce` and `fused` enqueue all steps without waiting for any.
//
// Work. Items are points times iterations. In total a step reads each feature of each point once and writes
// an assignment per point; it does a subtraction, a multiplication and an addition per feature of a point and
// cluster, and one addition per feature of a point. `assign` of `fused` does all but the division; `update`
// of `reduce` reads the points and their assignments again. In `assign_only` the update is the host's: it is
// in the wall time alone.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "dwarfs/kmeans_reference.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/points.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

using kmeans::divided_up;
using kmeans::KmeansInput;
using kmeans::rounded_up;
using kmeans::Shape;

constexpr std::int64_t slack = 16;                     // elements behind the points that a vector may read
constexpr std::int64_t most_partial_sums = 1LL << 26;  // 256 MiB

// --- geometry ---

// What axes and problem make of a point of the space; as the kernels derive it.
struct Geometry {
  Geometry(const Config& config, const Problem& problem)
      : by_point(config.word("layout") != "aos"),
        tiled(config.word("layout") == "tiled"),
        width(config.integer("vector_width")),
        group(config.integer("work_group")),
        features(problem.integer("features")),
        clusters(problem.integer("clusters")),
        point_lanes(by_point ? width : 1),
        feature_lanes(by_point ? 1 : width),
        steps(divided_up(features, feature_lanes)),
        centroid_stride(steps * feature_lanes),
        tile_points(group * config.integer("granularity") * point_lanes),
        lanes(std::min<std::int64_t>(group, 32)),
        own(divided_up(steps, group / lanes)) {
    const std::int64_t padding = std::max<std::int64_t>(1, config.integer("padding"));
    const std::int64_t points = problem.integer("points");
    row = rounded_up(features, by_point ? 1 : padding);
    stride = rounded_up(points, padding);
    // Features that lie a power of two apart compete for the same few places in a cache.
    if (by_point && padding > 1 && stride % 1024 == 0) stride += 16;
    if (!by_point) {
      elements = points * row;
      aligned = row % width == 0;
    } else if (tiled) {
      aligned = true;
    } else {
      elements = features * stride;
      aligned = stride % width == 0;
    }
  }

  [[nodiscard]] std::int64_t set() const { return clusters * centroid_stride; }

  bool by_point, tiled;
  std::int64_t width, group, features, clusters;
  std::int64_t point_lanes, feature_lanes;  // of a vector
  std::int64_t steps, centroid_stride;      // vectors of a point's features, and the numbers these hold
  std::int64_t tile_points;                 // of a work-group
  std::int64_t lanes, own;                  // of fused: as the kernel's LANES and OWN
  std::int64_t row = 0, stride = 0;         // aos: between points; soa: between features
  std::int64_t elements = 0;                // of aos and soa
  bool aligned = false;
};

Geometry geometry_of(const Point& point) {
  return {point.config, point.problem};
}

// May a work-item of `tile_sums` keep that many sums? 16384 floats are 64 KiB of a thread's stack; a GPU's
// work-item has 255 registers, and memory for all work-items at once beyond them.
bool keeps_sums(const Geometry& geometry, const Limits& limits) {
  return geometry.own * geometry.clusters * geometry.width <= (limits.local_is_dedicated ? 512 : 16384);
}

// The work-groups of `finish`. On a GPU many lanes, as each waits for memory at every set; on a CPU few
// groups.
struct Finish {
  std::int64_t outputs, lanes;
};
Finish finish_of(const Limits& limits) {
  return limits.local_is_dedicated ? Finish{4, 64} : Finish{16, 1};
}

// Does `tile_sums` make the partial sums? In `reduce` only on GPUs: without barriers a CPU is faster.
bool sums_by_tiles(const std::string& variant, const Geometry& geometry, const Limits& limits) {
  return variant == "fused" ||
         (variant == "reduce" && limits.local_is_dedicated && keeps_sums(geometry, limits));
}

// `sums` keeps its sums in local memory where they take no more than half of it, so that two groups fit.
bool sums_on_chip(const Geometry& geometry, const Limits& limits) {
  return static_cast<std::uint64_t>(4 * (geometry.set() + geometry.clusters)) <= limits.local_bytes / 2;
}

std::uint64_t local_bytes(const Point& point) {
  const Geometry g = geometry_of(point);
  const bool is_staged = point.config.word("memory") == "local";
  const std::int64_t staged = is_staged ? g.clusters * rounded_up(g.centroid_stride, 4) : 0;
  std::int64_t sums = 0;
  if (sums_by_tiles(point.variant(), g, point.limits)) {
    sums = g.tile_points + g.own * (g.group / g.lanes) * g.feature_lanes * (g.lanes + 1) + g.clusters;
    if (point.variant() == "fused" && point.config.word("buffering") == "local")
      sums += g.steps * g.width * (g.tile_points / g.point_lanes) + g.width;  // and its alignment
  } else if (point.variant() == "reduce" && sums_on_chip(g, point.limits)) {
    sums = g.set() + g.clusters;
  }
  const std::int64_t elements = point.variant() == "fused" ? staged + sums : std::max(staged, sums);
  return static_cast<std::uint64_t>(4 * elements);
}

// --- on the device ---

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
        on_gpu_(device_.limits.local_is_dedicated),
        tile_(on_gpu_ ? 32 : 16),
        finish_(finish_of(device_.limits)),
        sum_group_(on_gpu_ ? 64 : 1),
        by_tiles_(sums_by_tiles(config.word("variant"), geometry_, device_.limits)),
        by_image_(config.word("source") == "image") {
    if (geometry_.tiled) geometry_.elements = rounded_up(shape_.points, tile_) * shape_.features;
    options_ = to_build_options(space, config) +
               fmt::format(
                   " -D FEATURES={} -D CLUSTERS={} -D ROW={} -D TILE={} -D ALIGNED={} -D SUM_GROUP={} "
                   "-D SUMS_BY_TILES={} -D SUMS_ON_CHIP={} -D FINISH_OUTPUTS={} -D FINISH_LANES={}",
                   shape_.features, shape_.clusters, geometry_.row, tile_, geometry_.aligned ? 1 : 0,
                   sum_group_, by_tiles_ ? 1 : 0, sums_on_chip(geometry_, device_.limits) ? 1 : 0,
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
  [[nodiscard]] virtual kmeans::Rounding rounding() const = 0;

  Kernel kernel(const std::string& function, const std::string& name) {
    return workspace_.kernel("kmeans", options_, function, name);
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
    run_on_points(launcher, assign, divided_up(shape_.points, geometry_.tile_points), geometry_.group,
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
  kmeans::Outcome outcome_;
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
      kmeans::update_on_host(*input_, assignments, previous, next);
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
  [[nodiscard]] kmeans::Rounding rounding() const override { return {}; }

  Kernel assign_;
};

// Partial sums on the device, and their total: `reduce` and `fused`.
class ReducingCase final : public KmeansCase {
 public:
  ReducingCase(Workspace& workspace, const Loaded& loaded, const Space& space, const Config& config)
      : KmeansCase(workspace, loaded, space, config),
        fused_(config.word("variant") == "fused"),
        sums_(kernel(by_tiles_ ? "tile_sums" : "sums", fused_ ? "assign" : "update")),
        total_(kernel("finish", "update")) {
    if (!fused_) assign_ = kernel("assign", "assign");
    const std::int64_t most = std::max<std::int64_t>(1, most_partial_sums / geometry_.set());
    const std::int64_t wanted = device_.compute_units * config.integer("groups_per_unit");
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
      part_ = std::max<std::int64_t>(64, divided_up(shape_.points, most));
      sets_ = divided_up(shape_.points, part_);
      return;
    }
    const std::int64_t tiles = divided_up(shape_.points, geometry_.tile_points);
    part_ = divided_up(tiles, most);
    sets_ = on_gpu_ ? std::min(most, tiles) : divided_up(tiles, part_);
  }

  void run_finish(Launcher& launcher, const Buffer<float>& previous, const Buffer<float>& next) {
    const auto items = static_cast<std::size_t>(finish_.outputs * finish_.lanes);
    const auto groups = static_cast<std::size_t>(divided_up(geometry_.set(), finish_.outputs));
    launcher.run(total_, Range(groups * items), Range(items), partial_, numbers_, previous, next,
                 static_cast<cl_int>(sets_));
  }

  // By tiles: a work-item's vectors of points, the folding of a vector, and the lanes of a row. In `finish`:
  // the sets of a lane, and the tree over lanes.
  [[nodiscard]] kmeans::Rounding rounding() const override {
    const std::int64_t of_parts =
        divided_up(sets_, finish_.lanes) + std::bit_width(static_cast<std::uint64_t>(finish_.lanes));
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

// --- the dwarf ---

Space make_space() {
  Space space;
  space
      .axis(
          {"variant",
           "assign_only: the host makes the centroids; reduce: partial sums on the device; fused: sums while "
           "points are assigned",
           {"assign_only", "reduce", "fused"},
           "assign_only"})
      .axis({"work_group", "work-items per group", {1, 16, 64, 128, 256, 512, 1024}, 256})
      .axis({"granularity", "points (layout=aos) or vectors of points per work-item", {1, 2, 4, 8}, 1})
      .axis({"vector_width", "neighbouring features (layout=aos) or points per vector", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "of the loop over features", {1, 2, 4, 8, 64}, 1})
      .axis({"padding",
             "aos: features of a point, soa: points of a feature, padded to a multiple of so many numbers",
             {0, 4, 16},
             0})
      .axis(
          {"layout",
           "aos: point by point; soa: feature by feature; tiled: small blocks of points, feature by feature",
           {"aos", "soa", "tiled"},
           "aos"})
      .axis({"memory", "where centroids are read from", {"global", "constant", "local"}, "global"})
      .axis({"source", "what points are read through", {"buffer", "image"}, "buffer"})
      .axis({"unroll_clusters",
             "at most so many distances of a point are summed in one pass over its features",
             {1, 2, 4, 8},
             1})
      .axis({"groups_per_unit",
             "work-groups that make partial sums, per compute unit",
             {2, 4, 8, 16},
             16,
             {"reduce", "fused"}})
      .axis({"buffering",
             "where a tile of points is kept until it is added: in the cache, or in local memory while the "
             "next one is fetched",
             {"cache", "local"},
             "cache",
             {"fused"}})
      // As in the paper.
      .start("reduce", {{"layout", "soa"}, {"memory", "constant"}})
      .start("fused", {{"work_group", 1},
                       {"granularity", 4},
                       {"vector_width", 16},
                       {"layout", "tiled"},
                       {"unroll_clusters", 8}})
      .start("fused",
             {{"work_group", 128},
              {"granularity", 1},
              {"vector_width", 1},
              {"unroll", 64},
              {"memory", "local"},
              {"layout", "tiled"},
              {"unroll_clusters", 8},
              {"groups_per_unit", 4},
              {"buffering", "local"}},
             has_dedicated_local);
  space
      .constrain("the tiles of layout=tiled are whole and need no padding",
                 [](const Point& p) { return p.config.word("layout") != "tiled" || p["padding"] == 0; })
      .constrain("the centroids must fit one constant buffer",
                 [](const Point& p) {
                   return p.config.word("memory") != "constant" ||
                          static_cast<std::uint64_t>(4 * geometry_of(p).set()) <= p.limits.constant_bytes;
                 })
      .constrain("the device has no images, so points can only be read through a buffer",
                 [](const Point& p) { return p.config.word("source") != "image" || p.limits.images; })
      .constrain("a pixel holds one float or, where vectors are aligned by padding or tiles, four",
                 [](const Point& p) {
                   return p.config.word("source") != "image" || p["vector_width"] == 1 ||
                          (p["vector_width"] == 4 && geometry_of(p).aligned);
                 })
      .constrain(
          "one pass keeps a sum for each cluster and feature, and those of a work-item are too many",
          [](const Point& p) { return p.variant() != "fused" || keeps_sums(geometry_of(p), p.limits); })
      .group_items([](const Point& p) {
        const Finish finish = finish_of(p.limits);
        const std::int64_t finishing = p.variant() == "assign_only" ? 1 : finish.outputs * finish.lanes;
        return static_cast<std::uint64_t>(std::max(p["work_group"], finishing));
      })
      .local_bytes(local_bytes);
  return space;
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "kmeans";
  info.title = "k-means clustering, Lloyd's iteration";
  info.pattern = "data mining";
  info.kernels = {"assign", "update"};
  info.item = "points";
  info.keys = {{"points", "to cluster", 8192, 1, 1 << 30},
               {"features", "of a point", 34, 1, 4096},
               {"clusters", "at most as many as points", 5, 1, 65536},
               {"iterations", "steps", 1, 1, 1000}};
  const auto sized = [](int points) {
    return ValueMap{{"points", points}, {"features", 34}, {"clusters", 5}};
  };
  // The points take 34 KiB, 1.1 MiB, 8.5 MiB and 136 MiB.
  info.sizes = {{"tiny", sized(256)},
                {"small", sized(8192)},
                {"medium", sized(65536)},
                {"large", sized(1 << 20)},
                {"paper", sized(819200)}};
  info.input_formats =
      "points: text (an identifier, then features, a line each) or binary (int32 points, int32 features, "
      "float32 row by row)";
  return info;
}

class Kmeans final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return kmeans::generated_input(kmeans::shape_of(problem), seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    if (files.size() != 1)
      throw UsageError(fmt::format("kmeans takes one input file, of points, not {}", files.size()));
    Points table = read_points(files.front());
    ValueMap values = request;
    for (const auto& [key, found] :
         {std::pair{"points", table.points}, std::pair{"features", table.features}}) {
      const Value* given = request.find(key);
      if (given && *given != Value(found)) {
        throw UsageError(fmt::format("kmeans: problem key '{}' is '{}', but {} has {}", key,
                                     given->to_string(), files.front(), found));
      }
      values = values.with(key, found);
    }
    Problem problem = make_problem("kmeans", info_.keys, {"file", values});
    const Shape shape = kmeans::shape_of(problem);
    return {std::move(problem), std::make_shared<KmeansInput>(shape, std::move(table.values), 0)};
  }

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    const std::string& variant = config.word("variant");
    if (variant == "assign_only") return std::make_unique<AssignOnlyCase>(workspace, loaded, space_, config);
    return std::make_unique<ReducingCase>(workspace, loaded, space_, config);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return kmeans::make_host_case(std::static_pointer_cast<const KmeansInput>(loaded.input), threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    return {{"performance_study_2008 Figure 12",
             {{"points", 819200}, {"features", 34}, {"clusters", 5}},
             {{"variant", "reduce"}, {"layout", "soa"}, {"memory", "constant"}}}};
  }

 private:
  DwarfInfo info_ = make_info();
  Space space_ = make_space();
};

}  // namespace

const Dwarf& kmeans_dwarf() {
  static const Kmeans dwarf;
  return dwarf;
}

}  // namespace dwarfsweep

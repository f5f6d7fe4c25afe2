// k-means (data mining): what the dwarf tells of itself. The method is in kernels_cl/kmeans/kmeans.cl, the
// cases on a device in kmeans_cases.hpp, the reference and its tolerances in kmeans_reference, the host's
// versions in kmeans_host.
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

#include "dwarfs/kmeans/device_case.hpp"
#include "dwarfs/kmeans/geometry.hpp"
#include "dwarfs/kmeans/verification.hpp"
#include "dwarfs/registry.hpp"
#include "harness/error.hpp"
#include "harness/formats/points.hpp"

namespace dwarfsweep {
namespace {

using kmeans::finish_of;
using kmeans::geometry_of;
using kmeans::KmeansInput;
using kmeans::Shape;

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
      .default_setting("reduce", {{"layout", "soa"}, {"memory", "constant"}})
      .default_setting("fused", {{"work_group", 1},
                                 {"granularity", 2},
                                 {"vector_width", 16},
                                 {"layout", "tiled"},
                                 {"unroll_clusters", 8}})
      .default_setting("fused",
                       {{"work_group", 128},
                        {"granularity", 1},
                        {"vector_width", 1},
                        {"unroll", 64},
                        {"memory", "local"},
                        {"layout", "tiled"},
                        {"unroll_clusters", 8},
                        {"groups_per_unit", 4},
                        {"buffering", "local"}},
                       is_gpu);
  space
      .constrain("the tiles of layout=tiled are whole and need no padding",
                 [](const Point& p) { return p.config.string("layout") != "tiled" || p["padding"] == 0; })
      .constrain("the centroids must fit one constant buffer",
                 [](const Point& p) {
                   return p.config.string("memory") != "constant" ||
                          static_cast<std::uint64_t>(4 * geometry_of(p).set()) <= p.device.constant_bytes;
                 })
      .constrain("the device has no images, so points can only be read through a buffer",
                 [](const Point& p) { return p.config.string("source") != "image" || p.device.images; })
      .constrain("a pixel holds one float or, where vectors are aligned by padding or tiles, four",
                 [](const Point& p) {
                   return p.config.string("source") != "image" || p["vector_width"] == 1 ||
                          (p["vector_width"] == 4 && geometry_of(p).aligned);
                 })
      .constrain("one pass keeps a sum for each cluster and feature, and those of a work-item are too many",
                 [](const Point& p) {
                   return p.variant() != "fused" || kmeans::keeps_sums(geometry_of(p), p.device);
                 })
      .group_items([](const Point& p) {
        const kmeans::Finish finish = finish_of(p.device);
        const std::int64_t finishing = p.variant() == "assign_only" ? 1 : finish.outputs * finish.lanes;
        return static_cast<std::uint64_t>(std::max(p["work_group"], finishing));
      })
      .local_bytes(kmeans::local_bytes);
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
      "one file of points: text (an identifier, then features, a line each) or binary (int32 points, int32 "
      "features, float32 row by row)";
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
    require_files("kmeans", info_.input_formats, files, 1);
    Points table = read_points(files.front());
    ValueMap values = with_found("kmeans", request, "points", table.points, files.front());
    values = with_found("kmeans", values, "features", table.features, files.front());
    Problem problem = make_problem("kmeans", info_.keys, {"file", values});
    const Shape shape = kmeans::shape_of(problem);
    return {std::move(problem), std::make_shared<KmeansInput>(shape, std::move(table.values), 0)};
  }

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    const std::string& variant = config.string("variant");
    if (variant == "assign_only")
      return std::make_unique<kmeans::AssignOnlyCase>(workspace, loaded, space_, config);
    return std::make_unique<kmeans::ReducingCase>(workspace, loaded, space_, config);
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

#include "dwarfs/kmeans/kmeans.hpp"

#include <algorithm>

#include "dwarfs/kmeans/geometry.hpp"
#include "harness/device/kinds.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::kmeans {
namespace {

void add_axes(Space& space) {
  space
      .axis(
          {"variant",
           "assign_only: the host makes the centroids; reduce: partial sums on the device; fused: sums while "
           "points are assigned; blocked: as reduce, with distances in blocks of points and centroids in "
           "registers, for any number of either",
           {"assign_only", "reduce", "fused", "blocked"},
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
             {"reduce", "fused", "blocked"}})
      .axis({"finish",
             "where partial sums are added up and divided; host: they are copied to it in each iteration, as "
             "in "
             "the paper",
             {"device", "host"},
             "device",
             {"reduce"}})
      .axis({"buffering",
             "where a tile of points is kept: in the cache, or in local memory (fused: until it is added, "
             "while the next one is fetched; blocked: while it is compared; prefetch: and the next chunk is "
             "loaded)",
             {"cache", "local", "prefetch"},
             "cache",
             {"fused", "blocked"}})
      .axis({"distances",
             "differences: sums of (point - centroid)^2; products: |centroid|^2 / 2 - point x centroid, half "
             "the operations, and differences where rounding might decide",
             {"differences", "products"},
             "differences",
             {"fused", "blocked"}})
      .axis({"cluster_lanes",
             "work-items that share points, at most, each with unroll_clusters centroids of its own",
             {1, 2, 4, 8, 16},
             1,
             {"blocked"}})
      .axis({"chunk",
             "features that are copied to local memory at once, at most",
             {8, 16, 32, 64},
             16,
             {"blocked"}})
      .axis({"partial_sums",
             "how partial sums are made: as suits the device, or as in the paper: a point per work-item and "
             "a tree "
             "over each block of work-items, for every cluster and feature",
             {"auto", "per_block"},
             "auto",
             {"reduce"},
             {"per_block"}});
}

void add_defaults(Space& space) {
  space
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
                       is_gpu)
      .default_setting("fused", {{"memory", "global"}, {"buffering", "cache"}}, lacks_local_memory)
      .default_setting("blocked", {{"work_group", 1},
                                   {"granularity", 1},
                                   {"vector_width", 16},
                                   {"layout", "tiled"},
                                   {"unroll_clusters", 8}})
      .default_setting("blocked",
                       {{"work_group", 128},
                        {"granularity", 2},
                        {"vector_width", 4},
                        {"layout", "aos"},
                        {"unroll", 4},
                        {"memory", "local"},
                        {"groups_per_unit", 8},
                        {"buffering", "prefetch"},
                        {"distances", "products"},
                        {"cluster_lanes", 16}},
                       is_gpu)
      .default_setting("blocked", {{"granularity", 1}}, has_few_registers)
      .default_setting("blocked", {{"layout", "tiled"}, {"memory", "global"}, {"buffering", "cache"}},
                       lacks_local_memory);
}

void add_constraints(Space& space) {
  space
      .constrain("layout=tiled requires padding=0: its tiles are whole",
                 [](const Point& p) { return p.config.string("layout") != "tiled" || p["padding"] == 0; })
      .constrain("memory=constant requires centroids that fit one constant buffer of the device",
                 [](const Point& p) {
                   return p.config.string("memory") != "constant" ||
                          static_cast<std::uint64_t>(4 * geometry_of(p).set()) <= p.device.constant_bytes;
                 })
      .constrain("partial_sums=per_block would take more than 256 MiB: a set for every work_group points",
                 [](const Point& p) {
                   const Geometry g = geometry_of(p);
                   return !g.per_block ||
                          ceil_div(p.problem.integer("points"), g.group) * g.set() <= max_partial_sums;
                 })
      .constrain("source=image requires a device with images",
                 [](const Point& p) { return p.config.string("source") != "image" || p.device.images; })
      .constrain(
          "source=image requires vector_width=1, or vector_width=4 with vectors that padding or layout=tiled "
          "aligns",
          [](const Point& p) {
            return p.config.string("source") != "image" || p["vector_width"] == 1 ||
                   (p["vector_width"] == 4 && geometry_of(p).aligned);
          })
      .constrain(
          "variant=fused keeps a sum for each cluster and feature: those of a work-item, or of a work_group "
          "on a CPU, are too many",
          [](const Point& p) { return p.variant() != "fused" || geometry_of(p).keeps_sums; })
      .constrain(
          "variant=blocked keeps a sum for each point and cluster of a block: those of a work-item, or of a "
          "work_group on a CPU, are too many",
          [](const Point& p) { return p.variant() != "blocked" || geometry_of(p).keeps_sums; })
      .constrain(
          "variant=fused with distances=products requires layout=aos with aligned rows, memory=local, "
          "buffering=local, source=buffer and vector_width of at most 4",
          [](const Point& p) {
            const Geometry g = geometry_of(p);
            return p.variant() != "fused" || !g.products ||
                   (!g.by_feature && g.aligned && g.staged && g.buffered && g.width <= 4 &&
                    p.config.string("source") == "buffer");
          })
      .constrain("distances=products requires memory=global or memory=local",
                 [](const Point& p) {
                   return p.config.string("distances") != "products" ||
                          p.config.string("memory") != "constant";
                 })
      .constrain(
          "variant=blocked with layout=aos requires buffering=local or buffering=prefetch: its vectors hold "
          "neighbouring points",
          [](const Point& p) {
            return p.variant() != "blocked" || p.config.string("layout") != "aos" || geometry_of(p).buffered;
          })
      .constrain("buffering=prefetch requires variant=blocked and distances=products",
                 [](const Point& p) {
                   const Geometry g = geometry_of(p);
                   return !g.prefetches || (g.blocked && g.products);
                 })
      .constrain(
          "buffering=prefetch keeps a chunk in registers: the points, or the centroids, of a block are too "
          "many for a work-item",
          [](const Point& p) {
            const Geometry g = geometry_of(p);
            return !g.prefetches || !g.blocked || g.copies() <= Geometry::copy_batch;
          })
      .group_items([](const Point& p) {
        const Finish finish = geometry_of(p).finish;
        const std::int64_t finishing = p.variant() == "assign_only" ? 1 : finish.outputs * finish.lanes;
        return static_cast<std::uint64_t>(std::max(p["work_group"], finishing));
      })
      .local_bytes([](const Point& p) { return geometry_of(p).local_bytes(); });
}

}  // namespace

const Space& space() {
  static const Space space = [] {
    Space made;
    add_axes(made);
    add_defaults(made);
    add_constraints(made);
    return made;
  }();
  return space;
}

}  // namespace dwarfsweep::kmeans

// How kmeans lays its work-items over points and sums; kernels derive the same from their macros.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "dwarfs/kmeans/verification.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::kmeans {

// What axes and problem make of a point of the space; as the kernels derive it.
struct Geometry {
  Geometry(const Config& config, const Problem& problem)
      : by_point(config.string("layout") != "aos"),
        tiled(config.string("layout") == "tiled"),
        width(config.integer("vector_width")),
        group(config.integer("work_group")),
        features(problem.integer("features")),
        clusters(problem.integer("clusters")),
        point_lanes(by_point ? width : 1),
        feature_lanes(by_point ? 1 : width),
        steps(ceil_div(features, feature_lanes)),
        centroid_stride(steps * feature_lanes),
        tile_points(group * config.integer("granularity") * point_lanes),
        lanes(std::min<std::int64_t>(group, 32)),
        own(ceil_div(steps, group / lanes)) {
    const std::int64_t padding = std::max<std::int64_t>(1, config.integer("padding"));
    const std::int64_t points = problem.integer("points");
    row = round_up(features, by_point ? 1 : padding);
    stride = round_up(points, padding);
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

inline Geometry geometry_of(const Point& point) {
  return {point.config, point.problem};
}

// May a work-item of `tile_sums` keep that many sums? 16384 floats are 64 KiB of a thread's stack; a GPU's
// work-item has 255 registers, and memory for all work-items at once beyond them.
inline bool keeps_sums(const Geometry& geometry, const Capabilities& capabilities) {
  return geometry.own * geometry.clusters * geometry.width <= (capabilities.is_gpu ? 512 : 16384);
}

// The work-groups of `finish`. On a GPU many lanes, as each waits for memory at every set; on a CPU few
// groups.
struct Finish {
  std::int64_t outputs, lanes;
};
inline Finish finish_of(const Capabilities& capabilities) {
  return capabilities.is_gpu ? Finish{4, 64} : Finish{16, 1};
}

// Does `tile_sums` make the partial sums? In `reduce` only on GPUs: without barriers a CPU is faster.
inline bool sums_by_tiles(const std::string& variant, const Geometry& geometry,
                          const Capabilities& capabilities) {
  return variant == "fused" ||
         (variant == "reduce" && capabilities.is_gpu && keeps_sums(geometry, capabilities));
}

// `sums` keeps its sums in local memory where they take no more than half of it, so that two groups fit.
inline bool sums_on_chip(const Geometry& geometry, const Capabilities& capabilities) {
  return static_cast<std::uint64_t>(4 * (geometry.set() + geometry.clusters)) <= capabilities.local_bytes / 2;
}

inline std::uint64_t local_bytes(const Point& point) {
  const Geometry g = geometry_of(point);
  const bool is_staged = point.config.string("memory") == "local";
  const std::int64_t staged = is_staged ? g.clusters * round_up(g.centroid_stride, 4) : 0;
  std::int64_t sums = 0;
  if (sums_by_tiles(point.variant(), g, point.device)) {
    sums = g.tile_points + g.own * (g.group / g.lanes) * g.feature_lanes * (g.lanes + 1) + g.clusters;
    if (point.variant() == "fused" && point.config.string("buffering") == "local")
      sums += g.steps * g.width * (g.tile_points / g.point_lanes) + g.width;  // and its alignment
  } else if (point.variant() == "reduce" && sums_on_chip(g, point.device)) {
    sums = g.set() + g.clusters;
  }
  const std::int64_t elements = point.variant() == "fused" ? staged + sums : std::max(staged, sums);
  return static_cast<std::uint64_t>(4 * elements);
}

}  // namespace dwarfsweep::kmeans

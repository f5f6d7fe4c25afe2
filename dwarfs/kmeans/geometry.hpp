// How kmeans distributes points and sums over work-items. The space's constraints, the cases and (by macros)
// the kernels all take it from here.
#pragma once

#include <cstdint>
#include <string>

#include "harness/program/macros.hpp"
#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::kmeans {

constexpr std::int64_t max_partial_sums = 1LL << 26;  ///< 256 MiB

/// The work-groups of `finish`.
struct Finish {
  std::int64_t outputs, lanes;
};

struct Geometry {
  Geometry(const Config& config, const Problem& problem, const Capabilities& device);

  /// Numbers in the centroids of all clusters, with padding.
  [[nodiscard]] std::int64_t set() const { return clusters * centroid_stride; }
  /// Bytes of local memory of the largest kernel.
  [[nodiscard]] std::uint64_t local_bytes() const;
  /// Centroids of the panel that `pack` makes: whole tiles.
  [[nodiscard]] std::int64_t panel() const;
  /// Of `assign` of the variant blocked.
  [[nodiscard]] std::uint64_t block_bytes() const;

  /// Vectors of a chunk of points, or of centroids if they are more, that a work-item copies.
  [[nodiscard]] std::int64_t copies() const;

  /// Points that the list of `cluster_sums` holds.
  [[nodiscard]] std::int64_t list() const { return 8 * group + 256; }

  static constexpr std::int64_t pack_group = 64;  ///< work-items of a group of `pack`
  static constexpr std::int64_t copy_batch = 8;   ///< vectors that a work-item loads before it stores any

  std::string variant;
  bool by_feature, tiled;  ///< layout: features or tiles of them lie together, not points; in tiles
  bool staged;             ///< centroids are copied to local memory
  bool blocked;            ///< the variant: its vectors hold points in every layout
  bool per_block;          ///< reduce: a set of partial sums for every block of points, by trees
  bool products;           ///< blocked: distances by products of point and centroid
  bool buffered;           ///< tiles of points are copied to local memory
  bool prefetches;         ///< blocked: the next chunk is loaded while this one is compared
  std::int64_t width, group, features, clusters, unroll_clusters;
  std::int64_t point_lanes, feature_lanes;  ///< points and features of a vector
  std::int64_t steps, centroid_stride;      ///< vectors of a point's features, and the numbers these hold
  std::int64_t tile_points;                 ///< of a work-group, at a time
  std::int64_t lanes, own;   ///< of `tile_sums`: work-items of a row, and sums per cluster of a work-item
  std::int64_t memory_tile;  ///< tiled: points of a tile in memory
  std::int64_t row = 0, stride = 0;  ///< aos: numbers between points; soa: numbers between features
  std::int64_t elements = 0;         ///< of all points
  bool aligned = false;              ///< vectors begin at multiples of their size
  std::int64_t row_lanes = 1;    ///< aos: features of a point that are loaded at once where they are copied
  bool keeps_sums = false;       ///< the work-items of a group of `tile_sums` may keep their sums
  bool sums_by_tiles = false;    ///< `tile_sums` makes the partial sums
  bool sums_on_chip = false;     ///< `sums` keeps its sums in local memory
  bool sums_by_cluster = false;  ///< `cluster_sums` makes the centroids, without partial sums
  std::int64_t sum_group;        ///< work-items of a group of `sums` or `cluster_sums`
  std::int64_t sum_steps,
      sum_blocks = 1;              ///< vectors of features of such a group, and groups that share points
  std::int64_t cluster_items = 1;  ///< blocked: work-items that share points
  std::int64_t chunk = 1;          ///< blocked: features that are copied at once
  bool sums_in_registers;          ///< the sums of a work-item of `tile_sums` are to stay in registers
  bool interleaved;  ///< neighbouring groups take neighbouring tiles, instead of consecutive ones each
  std::int64_t pack_lanes = 1;  ///< work-items of `pack` that share a centroid
  Finish finish{};
};

inline Geometry geometry_of(const Point& point) {
  return {point.config, point.problem, point.device};
}

/// The macros that the kernels take from it, in addition to the axes.
void define_macros(Macros& macros, const Geometry& geometry);

}  // namespace dwarfsweep::kmeans

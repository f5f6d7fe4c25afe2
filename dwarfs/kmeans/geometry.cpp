#include "dwarfs/kmeans/geometry.hpp"

#include <algorithm>

#include "harness/device/kinds.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::kmeans {
namespace {

// A point of the layouts in which it is not spread over tiles.
void lay_out_points(Geometry& g, std::int64_t points, std::int64_t padding) {
  g.row = round_up(g.features, g.by_feature ? 1 : padding);
  g.stride = round_up(points, padding);
  // Features that lie a power of two apart compete for the same few places in a cache.
  if (g.by_feature && padding > 1 && g.stride % 1024 == 0) g.stride += 16;
  if (!g.by_feature) {
    g.elements = points * g.row;
    g.aligned = g.row % g.width == 0;
  } else if (g.tiled) {
    g.elements = round_up(points, g.memory_tile) * g.features;
    g.aligned = true;
  } else {
    g.elements = g.features * g.stride;
    g.aligned = g.stride % g.width == 0;
  }
}

// The variant blocked: as many lanes of centroids as there is work for. Chunks are small enough that local
// memory holds those of two groups, or that they take no more than the smallest. What a work-item prefetches
// fits its registers.
void lay_out_blocks(Geometry& g, const Config& config, const Capabilities& device) {
  const std::int64_t granularity = config.integer("granularity");
  g.cluster_items = std::min(config.integer("cluster_lanes"), g.group);
  while (g.cluster_items > 1 && g.cluster_items / 2 * g.unroll_clusters >= g.clusters) g.cluster_items /= 2;
  g.tile_points = g.group / g.cluster_items * granularity * g.width;
  const std::uint64_t most = std::max(device.local_bytes / 2, g.block_bytes());
  g.chunk = g.staged || g.buffered ? config.integer("chunk") : g.features;
  while (g.chunk > 1 && (g.staged || g.buffered) && g.block_bytes() > most) g.chunk /= 2;
  while (g.chunk > 1 && g.prefetches && g.copies() > Geometry::copy_batch) g.chunk /= 2;
  if (g.buffered) g.row_lanes = std::min(g.row_lanes, g.chunk);
  const std::int64_t numbers =
      granularity * g.width * (g.unroll_clusters + (g.products ? 4 : 3));  // and points and choices
  g.keeps_sums = device.is_gpu ? numbers <= 256 : numbers * g.group <= 262144;
  g.sums_by_tiles = false;
  // On a GPU as many as give each compute unit a few groups, with at least four features each.
  const std::int64_t wanted = device.is_gpu ? 4 * g.pack_group * device.compute_units : 0;
  while (g.pack_lanes < g.pack_group && 8 * g.pack_lanes <= g.features && g.panel() * g.pack_lanes < wanted)
    g.pack_lanes *= 2;
}

// How the groups of `sums` share the features on a GPU. A group has at most a vector of features for each
// work-item, which then has many loads in flight. If half of the local memory holds the sums of any, the
// group has at most as many as fit: two groups can then run on a compute unit.
void divide_sums(Geometry& g, const Capabilities& device) {
  const auto numbers = static_cast<std::int64_t>(device.local_bytes / 2 / sizeof(float));
  const std::int64_t on_chip = (numbers / g.clusters - 1) / g.feature_lanes;
  g.sums_on_chip = on_chip > 0;
  g.sum_steps = std::min(g.steps, g.sum_group);
  // Where they are several, blocks of features begin where sectors of memory do, if rows do.
  if (g.sums_on_chip && on_chip < g.sum_steps) g.sum_steps = on_chip < 8 ? on_chip : on_chip / 8 * 8;
  g.sum_blocks = ceil_div(g.steps, g.sum_steps);
  if (g.sum_steps <= 32) g.sum_group = 32;
}

// How `groups` groups of `sums` share the work on a CPU. With few points for each cluster, sets of partial
// sums have more numbers than the points: two cores took 6.7 ms for 1100 points of 2809 features and 226
// clusters with 18 sets. There each group sums a block of the features, at least 64, of all points.
void divide_features(Geometry& g, std::int64_t points, std::int64_t groups) {
  constexpr std::int64_t least_features = 64;
  const std::int64_t sets = std::clamp<std::int64_t>(points / (4 * g.clusters), 1, groups);
  const std::int64_t blocks = std::min(ceil_div(groups, sets), ceil_div(g.features, least_features));
  g.sum_steps = ceil_div(g.steps, blocks);
  g.sum_blocks = ceil_div(g.steps, g.sum_steps);
}

// How the groups of `cluster_sums` share the features: each has at most eight vectors for a work-item, which
// keeps their sums in registers.
void divide_rows(Geometry& g) {
  const std::int64_t vectors = ceil_div(g.centroid_stride, g.row_lanes);
  g.sum_group = g.group;
  g.sum_steps = std::min(vectors, 8 * g.group);
  g.sum_blocks = ceil_div(vectors, g.sum_steps);
}

// The variant fused by products: all centroids at once, and as many rows that sum as there are work-items
// for.
void lay_out_tiles(Geometry& g, const Config& config, const Capabilities& device) {
  const std::int64_t granularity = config.integer("granularity");
  while (g.cluster_items < g.group && g.cluster_items * g.unroll_clusters < g.clusters) g.cluster_items *= 2;
  g.tile_points = g.group / g.cluster_items * granularity;
  const std::int64_t owners = ceil_div(g.centroid_stride, std::min<std::int64_t>(2, g.width));
  g.lanes = std::max<std::int64_t>(1, g.group / owners);
  const std::int64_t fetched = ceil_div(g.tile_points * g.steps, g.group) * g.width;
  const std::int64_t numbers = std::max(fetched, granularity * (g.unroll_clusters + g.width));
  g.keeps_sums = owners <= g.group && g.cluster_items * g.unroll_clusters >= g.clusters &&
                 (device.is_gpu ? numbers <= 192 : numbers * g.group <= 262144);
}

}  // namespace

Geometry::Geometry(const Config& config, const Problem& problem, const Capabilities& device)
    : variant(config.string("variant")),
      by_feature(config.string("layout") != "aos"),
      tiled(config.string("layout") == "tiled"),
      staged(config.string("memory") == "local"),
      blocked(variant == "blocked"),
      per_block(variant == "reduce" && config.string("partial_sums") == "per_block"),
      products((variant == "fused" || blocked) && config.string("distances") == "products"),
      buffered((variant == "fused" || blocked) && config.string("buffering") != "cache"),
      prefetches(buffered && config.string("buffering") == "prefetch"),
      width(config.integer("vector_width")),
      group(config.integer("work_group")),
      features(problem.integer("features")),
      clusters(problem.integer("clusters")),
      unroll_clusters(config.integer("unroll_clusters")),
      point_lanes(by_feature || blocked ? width : 1),
      feature_lanes(by_feature || blocked ? 1 : width),
      steps(ceil_div(features, feature_lanes)),
      centroid_stride(steps * feature_lanes),
      tile_points(group * config.integer("granularity") * point_lanes),
      lanes(std::min<std::int64_t>(group, 32)),
      own(ceil_div(steps, group / lanes)),
      memory_tile(device.is_gpu ? 32 : 16),
      sum_group(device.is_gpu ? 64 : 1),
      sum_steps(steps),
      sums_in_registers(device.is_gpu),
      interleaved(device.is_gpu),
      // On a GPU many lanes, as each waits for memory at every set; on a CPU few groups.
      finish(device.is_gpu ? Finish{4, 64} : Finish{16, 1}) {
  lay_out_points(*this, problem.integer("points"), std::max<std::int64_t>(1, config.integer("padding")));
  if (!by_feature && config.string("source") == "buffer") row_lanes = row % 4 == 0 ? 4 : row % 2 == 0 ? 2 : 1;
  // On a GPU they are registers, and the rest of the kernel needs some 64. Numbers that do not fit are
  // spilled, for all work-items at once. On a CPU the sums of all work-items of a group lie on one thread's
  // stack, of 8 MiB as a rule: 64 KiB each, 1 MiB together.
  const std::int64_t sums = own * clusters * width;
  keeps_sums = device.is_gpu ? sums <= item_registers(device) - 64 : sums <= 16384 && sums * group <= 262144;
  // `reduce` sums by tiles on GPUs alone: without barriers a CPU is faster.
  sums_by_tiles = variant == "fused" || (variant == "reduce" && device.is_gpu && keeps_sums);
  // On a CPU; divide_sums() decides for a GPU.
  sums_on_chip = static_cast<std::uint64_t>(4 * (set() + clusters)) <= device.local_bytes / 2;
  // Where clusters are many and small, sets of partial sums have more numbers than the points. A group for
  // each cluster reads all assignments instead, which with so many features is little compared with `assign`.
  sums_by_cluster = (variant == "reduce" || blocked) && !by_feature && !per_block && !sums_by_tiles &&
                    config.string("finish") == "device" && group >= 16 && features >= 64 &&
                    problem.integer("points") <= 64 * clusters && !(device.is_gpu && sums_on_chip);
  if (per_block) {
    sums_by_tiles = sums_on_chip = false;
    sum_group = group;
  }
  if (blocked) lay_out_blocks(*this, config, device);
  if (products && !blocked) lay_out_tiles(*this, config, device);
  if (sums_by_cluster) {
    divide_rows(*this);
  } else if (device.is_gpu && !sums_by_tiles && !per_block) {
    divide_sums(*this, device);
  } else if (!device.is_gpu && !sums_by_tiles && !per_block) {
    const std::int64_t units = std::max<std::uint32_t>(1, device.compute_units);
    divide_features(*this, problem.integer("points"), units * config.integer("groups_per_unit"));
  }
  if (device.is_gpu && set() >= 4096) finish = {32, 8};
}

std::int64_t Geometry::panel() const {
  return round_up(clusters, cluster_items * unroll_clusters);
}

std::int64_t Geometry::copies() const {
  const std::int64_t vector = by_feature ? width : std::min(row_lanes, chunk);
  const std::int64_t tile_clusters = cluster_items * unroll_clusters;
  const std::int64_t points = buffered ? chunk * tile_points / vector : 0;
  const std::int64_t centroids = staged ? chunk * tile_clusters / (tile_clusters % 4 == 0 ? 4 : 1) : 0;
  return ceil_div(std::max(points, centroids), group);
}

std::uint64_t Geometry::block_bytes() const {
  const std::int64_t vectors = tile_points / width + 4 / std::min<std::int64_t>(4, width);
  const std::int64_t points = buffered ? chunk * vectors * width : 0;
  const std::int64_t centroids = staged ? chunk * (round_up(cluster_items * unroll_clusters, 4) + 4) : 0;
  std::int64_t numbers = points + centroids + (cluster_items > 1 ? 2 * cluster_items * tile_points : 0);
  if (products) {
    const std::int64_t choices = (cluster_items + 1) * tile_points + group + 1;
    const std::int64_t values = (2 * cluster_items + 1) * tile_points + group;
    numbers = std::max(points + round_up(centroids, 16), values) + choices;
  }
  return static_cast<std::uint64_t>(4 * numbers);
}

std::uint64_t Geometry::local_bytes() const {
  if (products && !blocked) {
    const std::int64_t pitch = (steps | 1) * width;
    const std::int64_t covered = round_up(clusters, cluster_items);
    return static_cast<std::uint64_t>(4 * (tile_points * (pitch + 3 * cluster_items + 1) + 2 * group + 1 +
                                           covered * (pitch + 1) +
                                           (clusters + 1) * (lanes * centroid_stride + 1)));
  }
  const std::int64_t centroids = staged ? clusters * round_up(centroid_stride, 4) : 0;
  std::int64_t sums = 0;
  if (per_block) {
    sums = group;
  } else if (sums_by_cluster) {
    sums = list() + 1;
  } else if (sums_by_tiles) {
    sums = tile_points + own * (group / lanes) * feature_lanes * (lanes + 1) + clusters;
    if (buffered) sums += steps * width * (tile_points / point_lanes) + width;  // and its alignment
  } else if (variant != "assign_only" && sums_on_chip) {
    sums = clusters * (sum_steps * feature_lanes + 1);
  }
  if (blocked) return std::max(block_bytes(), static_cast<std::uint64_t>(4 * sums));
  return static_cast<std::uint64_t>(4 * (variant == "fused" ? centroids + sums : std::max(centroids, sums)));
}

void define_macros(Macros& macros, const Geometry& g) {
  macros.define("FEATURES", g.features)
      .define("CLUSTERS", g.clusters)
      .define("STEPS", g.steps)
      .define("CENTROID_STRIDE", g.centroid_stride)
      .define("ROW", g.row)
      .define("TILE", g.memory_tile)
      .define("TILE_POINTS", g.tile_points)
      .define("ALIGNED", g.aligned ? 1 : 0)
      .define("ROW_LANES", g.row_lanes)
      .define("COPY_BATCH", Geometry::copy_batch)
      .define("LANES", g.lanes)
      .define("OWN", g.own)
      .define("SUMS_IN_REGISTERS", g.sums_in_registers ? 1 : 0)
      .define("INTERLEAVED_TILES", g.interleaved ? 1 : 0)
      .define("SUM_GROUP", g.sum_group)
      .define("SUM_STEPS", g.sum_steps)
      .define("SUM_BLOCKS", g.sum_blocks)
      .define("CHUNK_FEATURES", g.chunk)
      .define("CLUSTER_ITEMS", g.cluster_items)
      .define("SUMS_BY_TILES", g.sums_by_tiles ? 1 : 0)
      .define("SUMS_BY_CLUSTER", g.sums_by_cluster ? 1 : 0)
      .define("LIST", g.list())
      .define("SUMS_ON_CHIP", g.sums_on_chip ? 1 : 0)
      .define("PACK_GROUP", Geometry::pack_group)
      .define("PACK_LANES", g.pack_lanes)
      .define("FINISH_OUTPUTS", g.finish.outputs)
      .define("FINISH_LANES", g.finish.lanes);
}

}  // namespace dwarfsweep::kmeans

// Sizes that both the space's constraints and the launches of bfs depend on. The kernels get them as macros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/space/rounding.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::bfs {

/// Whether groups note what they reach in bitmaps of their own, which are merged (MERGING of the kernels).
/// claims=auto does so where a group of one work-item has a core to itself, and may wait for a bitmap.
inline bool merges_claims(const Config& config, const Capabilities& capabilities) {
  if (config.string("claims") != "auto") return config.string("claims") == "merged";
  return config.string("variant") == "direction_optimising" && config.integer("work_group") == 1 &&
         !capabilities.is_gpu && capabilities.orders_groups();
}

/// Neighbours in an edge chunk, at most (EDGE_CHUNK): eight for each work-item of the team that shares it,
/// and for a work-item alone enough that most lists are one chunk.
constexpr std::int64_t max_edge_chunk(std::int64_t team) {
  return std::max<std::int64_t>(16, 8 * team);
}

/// Neighbours that a work-item may have to remember in a round (SHARE): its share of an edge chunk, in whole
/// turns of the loop over a list.
inline std::int64_t share_of_chunk(const Config& config) {
  const std::int64_t team = config.integer("team");
  return round_up(max_edge_chunk(team) / team, config.integer("vector_width") * config.integer("unroll"));
}

/// Work-items of the one group that goes through narrow levels (WALK_GROUP): large on a GPU, whose work-items
/// wait for memory side by side, and small where they are run one after another.
inline std::size_t walk_items(std::size_t work_group, const Capabilities& capabilities) {
  return capabilities.is_gpu ? work_group : std::min<std::size_t>(32, capabilities.work_group_items);
}

/// Work-items of the largest group that remembers neighbours (COLUMNS).
inline std::size_t max_group_items(const Config& config, const Capabilities& capabilities) {
  const auto work_group = static_cast<std::size_t>(config.integer("work_group"));
  return std::max(work_group, walk_items(work_group, capabilities));
}

/// Work-items of a group of the variant topology (TOPOLOGY_GROUP).
inline std::int64_t topology_items(const Config& config) {
  const bool smaller = config.string("coarsening") == "smaller_groups";
  return config.integer("work_group") / (smaller ? config.integer("granularity") : 1);
}

}  // namespace dwarfsweep::bfs

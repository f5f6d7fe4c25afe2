// How the variants queue and direction_optimising search a graph on a device: which kernels, in which sizes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dwarfs/bfs/bfs.hpp"
#include "dwarfs/bfs/levels_case.hpp"
#include "harness/device/device.hpp"
#include "harness/device/opencl.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {

struct SearchMode {
  bool pulls = false;          ///< the variant direction_optimising
  bool merges_claims = false;  ///< MERGING: `note` and `merge` take the place of `push`
  bool one_launch = false;     ///< ONE_LAUNCH: all levels are one launch of `search`
};

/// Throws PointFailure where groups are asked to wait for each other and cannot.
SearchMode search_mode(const Config& config, const DeviceInfo& device);

struct FrontierPlan {
  SearchMode mode;

  cl_int nodes = 0;
  std::size_t edge_chunk = 0;  ///< EDGE_CHUNK: neighbours in an edge chunk, at most
  std::size_t edge_unit = 1;   ///< EDGE_UNIT: edges are counted in this unit
  cl_uint words = 0;           ///< of a bitmap of nodes
  cl_uint capacity = 0;        ///< edge chunks of all nodes: as many as a list can hold

  std::size_t work_group = 1;    ///< work-items of a group
  cl_uint batch = 1;             ///< levels between two looks of the host
  std::size_t push_items = 0;    ///< of a launch of `push`
  std::size_t pull_items = 0;    ///< of a launch of `pull`
  std::int64_t pulled_part = 1;  ///< PULLED_PART, which bfs.cl explains
  std::size_t search_items = 0;  ///< of a launch of `search`
  cl_uint phase_chunks = 0;      ///< chunks of a phase, where `search` is by phases
  std::size_t note_groups = 0;   ///< groups of one work-item, of a launch of `note`
  cl_uint noted_bitmaps = 0;     ///< bitmaps that such groups write
  std::size_t walk_group = 0;    ///< WALK_GROUP: work-items of the one group of `walk`
  cl_uint max_walk_chunks = 0;   ///< `walk` takes lists of at most this many edge chunks

  /// For each other, or for a bitmap.
  [[nodiscard]] bool groups_wait() const;

  /// A frontier of up to this part of all nodes is pushed whatever its edges (NARROW): pulling looks at all
  /// nodes, and the last of many levels of a deep graph are narrow.
  static constexpr std::int64_t narrow = 4096;
  static constexpr std::size_t merged_words = 32;  ///< MERGED_WORDS: words of a group of `merge`
  // llvmpipe counts the turns of all loops of a work-item, and is wrong beyond 65,535 of them.
  static constexpr cl_uint max_walked_levels = 4096;
  static constexpr cl_uint max_searched_levels = 4095;
};

/// `lists`: by out-edges. Throws PointFailure where there are more edge chunks than can be counted, or where
/// the device cannot run the mode.
FrontierPlan make_plan(const PaddedLists& lists, const Config& config, const DeviceInfo& device);

/// The axes, and what the kernels take from the plan.
Macros plan_macros(const Setup& setup, const FrontierPlan& plan);

}  // namespace dwarfsweep::bfs

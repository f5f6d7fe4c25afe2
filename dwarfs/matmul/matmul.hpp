// What the files of matmul declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "dwarfs/matmul/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::matmul {

// The axes of matmul, its default configurations, and which points are legal.

/// Work-items along the edge of a group that packs.
constexpr std::int64_t pack_edge = 16;
/// Terms for which a second launch pays.
constexpr std::int64_t min_share = 256;

/// How a point of the variant blocked is shaped; the same derivations as in kernels_cl/matmul/blocked.cl.
struct BlockedShape {
  explicit BlockedShape(const Config& config)
      : edge(config.integer("work_group")),
        granularity(config.integer("granularity")),
        vector_width(config.integer("vector_width")),
        padding(config.integer("padding")),
        staged(config.string("memory") == "local"),
        packs_a(config.string("packing") == "a" || config.string("packing") == "both"),
        packs_b(config.string("packing") == "b" || config.string("packing") == "both"),
        stages(config.string("buffering") == "double" ? 2 : 1),
        tile_x(config.integer("tile_x")),
        tile_y(config.integer("tile_y")),
        tile_k(config.integer("tile_k")),
        resident(config.integer("resident")) {}

  [[nodiscard]] bool alone() const { return edge == 1; }
  [[nodiscard]] std::int64_t items() const { return edge * edge; }
  [[nodiscard]] std::int64_t group_x() const { return tile_x * edge; }
  [[nodiscard]] std::int64_t group_y() const { return tile_y * edge; }
  /// Stages have A as [term][row]; what is not packed is turned on its way there.
  [[nodiscard]] bool turns_a() const { return staged && !packs_a; }
  /// What the terms are padded to a multiple of.
  [[nodiscard]] std::int64_t term_multiple() const {
    const std::int64_t packed = alone() ? vector_width : pack_edge;
    return staged ? std::max(tile_k, packed) : packed;
  }
  [[nodiscard]] std::uint64_t local_bytes() const {
    const std::int64_t stage = staged ? stages * tile_k * (group_y() + padding + group_x()) : 0;
    const std::int64_t packing = packs_a && !alone() ? pack_edge * (pack_edge + 1) : 0;
    const std::int64_t flag = resident > 0 ? 1 : 0;
    return sizeof(float) * static_cast<std::uint64_t>(std::max(stage + flag, packing));
  }

  std::int64_t edge;
  std::int64_t granularity;
  std::int64_t vector_width;
  std::int64_t padding;
  bool staged, packs_a, packs_b;
  std::int64_t stages;
  std::int64_t tile_x, tile_y, tile_k;
  std::int64_t resident;
};

/// Work-items that a unit of a GPU holds by their registers, with tiles of fewer than 64 results each: two
/// groups of 256, or nine of 64.
constexpr std::int64_t items_of_a_unit = 576;
/// Floats of a line of a GPU's cache.
constexpr std::int64_t line = 32;

/// How a point of the variant thin is shaped.
struct ThinShape {
  ThinShape(const Config& config, const Shape& shape)
      : along_rows(shape.rows <= shape.cols || shape.cols >= 128),
        items(config.integer("work_group") * config.integer("work_group")),
        vector_width(config.integer("vector_width")),
        tile_x(config.integer("tile_x")),
        tile_y(config.integer("tile_y")),
        finishes(config.string("finish") == "group") {}

  bool along_rows;  ///< how neighbouring tiles lie in C: along its rows, or down its columns where these are
                    ///< few
  std::int64_t items;
  std::int64_t vector_width;
  std::int64_t tile_x, tile_y;
  bool finishes;  ///< groups that share terms add their sums themselves
};

Space make_space();

/// Settings to begin with where no point is known: geometry by problem and device.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

// The product on the host's cores: the CPU reference of matmul.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const MatmulInput> input, int threads);

/// The case of a point: chooses among the variants.
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::matmul

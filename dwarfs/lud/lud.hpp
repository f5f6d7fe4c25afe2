// What the files of lud declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::lud {

// The parameter space of lud, and the shapes of groups and tiles that its points stand for.

/// How a point of the tiled variant is coarsened; the same derivations as in kernels_cl/lud/tiled.cl.
struct TiledShape {
  explicit TiledShape(const Config& config)
      : tile(config.integer("work_group")),
        granularity(config.integer("granularity")),
        vector_width(config.integer("vector_width")),
        direction(config.string("direction")),
        transposed(config.string("layout") != "direct") {}

  [[nodiscard]] std::int64_t neighbours() const {
    return direction == "perimeter" ? std::max(granularity, vector_width) : vector_width;
  }
  [[nodiscard]] std::int64_t coarse_x() const {
    return (direction == "internal_x" ? granularity : 1) * (transposed ? 1 : vector_width);
  }
  [[nodiscard]] std::int64_t coarse_y() const { return direction == "internal_y" ? granularity : 1; }
  [[nodiscard]] std::int64_t perimeter_items() const { return 2 * tile / neighbours(); }
  [[nodiscard]] std::int64_t largest_group() const {
    return std::max({tile, perimeter_items(), (tile / coarse_x()) * (tile / coarse_y())});
  }

  std::int64_t tile;
  std::int64_t granularity;
  std::int64_t vector_width;
  std::string direction;
  bool transposed;
};

/// How a point of the blocked variant is shaped; the same derivations as in kernels_cl/lud/blocked.cl.
struct BlockedShape {
  explicit BlockedShape(const Config& config)
      : edge(config.integer("work_group")),
        granularity(config.integer("granularity")),
        vector_width(config.integer("vector_width")),
        staged(config.string("memory") == "local"),
        panel(config.integer("panel")),
        tile_x(config.integer("tile_x")),
        tile_y(config.integer("tile_y")) {}

  [[nodiscard]] std::int64_t items() const { return edge * edge; }
  [[nodiscard]] std::int64_t group_x() const { return tile_x * edge; }
  [[nodiscard]] std::int64_t group_y() const { return tile_y * edge; }
  [[nodiscard]] std::int64_t solve_items() const { return edge == 1 ? 1 : std::min<std::int64_t>(64, panel); }
  [[nodiscard]] std::int64_t lanes() const { return edge == 1 ? vector_width : solve_items(); }
  /// Does the block on the diagonal fit local memory while it is factored?
  [[nodiscard]] bool block_local(const Capabilities& capabilities) const {
    return (pivot_floats + block_floats()) * sizeof(float) <= capabilities.local_bytes;
  }
  [[nodiscard]] std::uint64_t local_bytes(const Capabilities& capabilities) const {
    const std::uint64_t stages = staged ? 2 * 16 * static_cast<std::uint64_t>(group_x() + group_y()) : 0;
    const std::uint64_t factoring = pivot_floats + (block_local(capabilities) ? block_floats() : 0);
    const std::int64_t solving = panel * (lanes() + (edge == 1 ? 0 : 1)) + (edge == 1 ? 1 : panel * step);
    return sizeof(float) * std::max({stages, factoring, static_cast<std::uint64_t>(solving)});
  }

  std::int64_t edge;
  std::int64_t granularity;
  std::int64_t vector_width;
  bool staged;
  std::int64_t panel;
  std::int64_t tile_x;
  std::int64_t tile_y;

 private:
  static constexpr std::int64_t step = 16;
  static constexpr std::uint64_t pivot_floats = 2 * step;
  [[nodiscard]] std::uint64_t block_floats() const {
    return static_cast<std::uint64_t>(panel * (panel + std::max<std::int64_t>(4, vector_width)));
  }
};

/// How a point of the dataflow variant is shaped; the same derivations as in kernels_cl/lud/dataflow.cl.
struct DataflowShape {
  explicit DataflowShape(const Config& config)
      : tile(config.integer("panel")), item_x(config.integer("tile_x")), item_y(config.integer("tile_y")) {}

  [[nodiscard]] std::int64_t items() const { return (tile / item_x) * (tile / item_y); }
  [[nodiscard]] std::uint64_t local_bytes() const {
    const std::int64_t chunk = tile <= 64 && items() >= 4 * tile ? 32 : 16;
    return sizeof(float) * static_cast<std::uint64_t>(2 * 2 * chunk * tile) + 3 * sizeof(std::int32_t);
  }

  std::int64_t tile;
  std::int64_t item_x;
  std::int64_t item_y;
};

Space make_space();

/// The case of a point: chooses among the variants.
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::lud

namespace dwarfsweep {

// LU decomposition on the host's own cores: the CPU reference.

/// Factors order x order floats in place on `threads` threads (1: serial): below the diagonal L, on and above
/// it U. Blocked, without pivoting.
void factor_on_host(float* matrix, std::size_t order, int threads);

/// `loaded` holds a LudInput.
std::unique_ptr<HostCase> lud_host_case(const Loaded& loaded, int threads);

}  // namespace dwarfsweep

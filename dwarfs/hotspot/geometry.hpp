// How the variants of hotspot divide the grid into tiles and strips; the space, the launches and the kernels
// all depend on it.
#pragma once

#include <cstdint>

#include "dwarfs/hotspot/chip.hpp"
#include "harness/program/macros.hpp"
#include "harness/run/launcher.hpp"
#include "harness/space/value.hpp"

namespace dwarfsweep::hotspot {

constexpr std::int64_t default_strip = 256;

/// The work-items of one launch.
struct LaunchRange {
  Range global, local;
};

/// The lanes that share a strip of `streaming`, where they shuffle: as few as store at least half of the
/// columns that they load, since the fewer lanes share a register file, the more of it each has; else the
/// most. With exchange=auto lanes shuffle on GPUs that certainly have so many, where they store that half or
/// are the whole group.
Lanes lanes_of(const Config& config, const Capabilities& device);

/// The most steps that one launch makes.
int max_steps_per_launch(const Config& config);

/// What a group works on in a launch of `steps` steps; the kernels get each as a macro.
struct Geometry {
  Geometry(const Config& config, int steps, const Lanes& lanes);

  /// The work-items of a launch over this grid.
  [[nodiscard]] LaunchRange range(const Config& config, const Parameters& p) const;

  std::int64_t halo =
      0;  ///< cells that a tile or strip loads on each side: one per step, in strips whole vectors
  std::int64_t stored = 0;       ///< edge of a tile's stored square, or columns that a strip stores
  std::int64_t strip_items = 0;  ///< streaming: work-items that share a strip
};

}  // namespace dwarfsweep::hotspot

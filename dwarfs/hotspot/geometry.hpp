// How the variants of hotspot divide the grid into tiles and strips; the space, the launches and the kernels
// all depend on it.
#pragma once

#include <cstdint>

#include "dwarfs/hotspot/chip.hpp"
#include "harness/launcher.hpp"
#include "harness/value.hpp"

namespace dwarfsweep::hotspot {

constexpr std::int64_t shuffling_lanes = 32;
constexpr std::int64_t default_strip = 256;

/// The work-items of one launch.
struct LaunchRange {
  Range global, local;
};

/// Whether lanes shuffle where the device has inline PTX.
bool may_shuffle(const Config& config);

/// The most steps that one launch makes.
int max_steps_per_launch(const Config& config);

/// What a group works on in a launch of `steps` steps; the kernels get each as a macro.
struct Geometry {
  Geometry(const Config& config, int steps, bool shuffle);

  /// The work-items of a launch over this grid.
  [[nodiscard]] LaunchRange range(const Config& config, const Parameters& p) const;

  std::int64_t halo =
      0;  ///< cells that a tile or strip loads on each side: one per step, in strips whole vectors
  std::int64_t stored = 0;       ///< edge of a tile's stored square, or columns that a strip stores
  std::int64_t strip_items = 0;  ///< streaming: work-items that share a strip
};

}  // namespace dwarfsweep::hotspot

// The variant `streaming` of hotspot and fdtd: a group processes a strip of columns row by row and makes
// several steps per launch. Both dwarfs share its axes, its constraints, the lanes of a strip and a strip's
// columns.
#pragma once

#include <cstdint>

#include "harness/program/macros.hpp"
#include "harness/run/range.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep {

/// The work-items of one launch.
struct LaunchRange {
  Range global, local;
};

/// What a group works on in one launch; the kernels get each number as a macro.
struct Geometry {
  std::int64_t halo = 0;    ///< cells that a tile or strip loads on each side; in strips whole vectors
  std::int64_t stored = 0;  ///< columns that a strip stores, or the edge of the square that a group stores
  std::int64_t strip_items = 0;  ///< streaming: work-items that share a strip
};

/// The strips of `streaming` in a launch of `steps` steps. A strip with too many steps stores 0 or fewer
/// columns.
Geometry strips_of(const Config& config, int steps, const Lanes& lanes);

/// The lanes that share a strip of `streaming` if they shuffle: the fewest that store at least half of the
/// columns that they load, because fewer lanes have more of the register file each; if none do, the most.
/// With exchange=auto, lanes shuffle on GPUs that certainly have that many, if they store that half or are
/// the whole group.
Lanes lanes_of(const Config& config, const Capabilities& device);

/// The axes strip, prefetch and exchange.
void add_strip_axes(Space& space);
void add_strip_constraints(Space& space);

/// LEVELS, STORED, HALO, STRIP_ITEMS and the macros of kernels_cl/lanes.cl.
Macros& define_strips(Macros& macros, const Geometry& geometry, int steps, const Lanes& lanes);

}  // namespace dwarfsweep

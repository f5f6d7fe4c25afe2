// The axes of stencil_3d, its default configurations, and which points are legal.
#pragma once

#include <cstdint>

#include "harness/space/space.hpp"

namespace dwarfsweep::stencil_3d {

/// The groups of a point; the same derivations as in kernels_cl/stencil_3d.
struct Groups {
  explicit Groups(const Config& config);

  std::int64_t items;           ///< of a group, those that only load among them
  std::int64_t tile_x, tile_y;  ///< points of a plane that a group computes
  std::uint64_t local_bytes;
};

Space make_space();

/// Where no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

}  // namespace dwarfsweep::stencil_3d

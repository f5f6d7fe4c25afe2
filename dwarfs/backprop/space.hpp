// The axes of backprop, its default configurations, which points are legal, and how a point lies over the
// weights.
#pragma once

#include <cstdint>

#include "dwarfs/backprop/network.hpp"
#include "harness/program/macros.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::backprop {

Space make_space();

/// How groups lie over the first layer's weights; kernels_cl/backprop/backprop.cl has the index map.
struct Layout {
  Layout(const Config& config, const Shape& shape, const Capabilities& device);

  std::int64_t stride = 0;   ///< floats from a row of weights to the next
  std::int64_t vectors = 0;  ///< of a row
  std::int64_t lanes = 0;    ///< columns of a group
  std::int64_t blocks = 0;   ///< groups side by side on a row
  std::int64_t chunks = 0;   ///< runs of rows, by which groups are given work
  std::int64_t groups = 0;   ///< that share the chunks
};

/// Those that shuffle where the point has reduction=sub_group; as many as divide the group.
Lanes lanes_of(const Config& config, const Capabilities& device);

}  // namespace dwarfsweep::backprop

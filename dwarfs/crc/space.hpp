// The axes of crc, their defaults and constraints.
#pragma once

#include "harness/space/space.hpp"

namespace dwarfsweep::crc {

constexpr std::size_t max_combine_group =
    64;  ///< work-items of a group in `combine`, where the device allows

Space make_space();

/// interleaved: do several work-items share a segment of the stream?
bool shares_segments(const Config& config, const Capabilities& device);

}  // namespace dwarfsweep::crc

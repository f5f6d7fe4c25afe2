// The axes of fft_1d, its default configurations, and which points are legal.
#pragma once

#include "harness/space/space.hpp"

namespace dwarfsweep::fft_1d {

Space make_space();

/// The variant and settings to try where no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

}  // namespace dwarfsweep::fft_1d

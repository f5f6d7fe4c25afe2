// The axes of fft_1d, its default configurations, and which points are legal.
#pragma once

#include "harness/space.hpp"

namespace dwarfsweep::fft_1d {

Space make_space();

}  // namespace dwarfsweep::fft_1d

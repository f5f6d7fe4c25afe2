// Tables of roots of unity for the variant stockham.
#pragma once

#include <vector>

#include "dwarfs/fft_1d/plan.hpp"

namespace dwarfsweep::fft_1d {

/// What a pass reads with roots=table, as kernels_cl/fft_1d/stages.cl (in groups) and alone.cl say: real and
/// imaginary parts side by side, computed in double precision and rounded. Empty with roots=computed.
std::vector<float> roots_of(const Config& config, const Pass& pass);

}  // namespace dwarfsweep::fft_1d

// The case of fft_1d on a device: a launch for each pass.
#pragma once

#include <memory>

#include "harness/run/setup.hpp"

namespace dwarfsweep::fft_1d {

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::fft_1d

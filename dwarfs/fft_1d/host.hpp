// The transforms on the host's cores: the CPU reference of fft_1d.
#pragma once

#include <memory>

#include "dwarfs/fft_1d/signal.hpp"

namespace dwarfsweep::fft_1d {

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const Signal> input, int threads);

}  // namespace dwarfsweep::fft_1d

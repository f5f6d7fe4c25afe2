// The diffusion on the host's cores: the CPU reference of srad.
#pragma once

#include <memory>
#include <vector>

#include "dwarfs/srad/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::srad {

/// The image after its iterations, in single precision on one thread.
std::vector<float> diffused_on_host(const SradInput& input);

/// The same on `threads` threads, to be timed.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SradInput> input, int threads);

}  // namespace dwarfsweep::srad

// The simulation on the host's cores: the CPU reference of hotspot.
#pragma once

#include <memory>
#include <vector>

#include "dwarfs/hotspot/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::hotspot {

/// The temperatures after all steps, in single precision on one thread.
std::vector<float> simulated_on_host(const HotspotInput& input);

/// The same on `threads` threads, to be timed.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const HotspotInput> input, int threads);

}  // namespace dwarfsweep::hotspot

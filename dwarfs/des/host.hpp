// DES on the host's cores.
#pragma once

#include <memory>

#include "dwarfs/des/input.hpp"

namespace dwarfsweep::des {

/// Look-up tables; the blocks (or keys) are divided among `threads` threads.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const DesInput> input, int threads);

}  // namespace dwarfsweep::des

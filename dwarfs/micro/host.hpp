// micro on the host's cores.
#pragma once

#include <memory>

#include "dwarfs/micro/input.hpp"

namespace dwarfsweep::micro {

/// A loop over all results; the blocks of 64 are divided among `threads` threads.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const MicroInput> input, int threads);

}  // namespace dwarfsweep::micro

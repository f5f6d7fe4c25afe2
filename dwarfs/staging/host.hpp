// staging's arithmetic on the host's cores.
#pragma once

#include <memory>

#include "dwarfs/staging/input.hpp"

namespace dwarfsweep::staging {

/// The data are divided among `threads` threads.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const StagingInput> input, int threads);

}  // namespace dwarfsweep::staging

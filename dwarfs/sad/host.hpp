// The sums on the host's cores: the CPU reference of sad.
#pragma once

#include <memory>

#include "dwarfs/sad/frames.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::sad {

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SadInput> input, int threads);

}  // namespace dwarfsweep::sad

// The potential on the host's cores: the CPU reference of cp.
#pragma once

#include <memory>

#include "dwarfs/cp/atoms.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::cp {

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const CpInput> input, int threads);

}  // namespace dwarfsweep::cp

// Needleman-Wunsch on the host's own cores: the CPU reference.
#pragma once

#include <memory>

#include "dwarfs/needle/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// Fills all (m + 1) x (n + 1) cells on `threads` threads (1: serial).
std::unique_ptr<HostCase> needle_host_case(std::shared_ptr<const NeedleInput> input, int threads);

}  // namespace dwarfsweep

// The product on the host's cores: the CPU reference of matmul.
#pragma once

#include <memory>

#include "dwarfs/matmul/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::matmul {

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const MatmulInput> input, int threads);

}  // namespace dwarfsweep::matmul

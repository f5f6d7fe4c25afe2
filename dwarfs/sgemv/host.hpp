// The product on the host's cores: the CPU reference of sgemv.
#pragma once

#include <memory>

#include "dwarfs/sgemv/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::sgemv {

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SgemvInput> input, int threads);

}  // namespace dwarfsweep::sgemv

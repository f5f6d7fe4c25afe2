// A step of backprop on the host's cores: the CPU reference.
#pragma once

#include <memory>

#include "dwarfs/backprop/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::backprop {

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const BackpropInput> input, int threads);

}  // namespace dwarfsweep::backprop

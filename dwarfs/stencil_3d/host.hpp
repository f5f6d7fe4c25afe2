// The steps on the host's cores: the CPU reference of stencil_3d.
#pragma once

#include <memory>

#include "dwarfs/stencil_3d/input.hpp"

namespace dwarfsweep::stencil_3d {

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const StencilInput> input, int threads);

}  // namespace dwarfsweep::stencil_3d

// The case of stencil_3d on a device; all variants are launched alike.
#pragma once

#include <memory>

#include "harness/run/setup.hpp"

namespace dwarfsweep::stencil_3d {

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::stencil_3d

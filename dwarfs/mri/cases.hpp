// The case of mri on a device.
#pragma once

#include <memory>

#include "harness/run/setup.hpp"

namespace dwarfsweep::mri {

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::mri

// The case of sad on a device.
#pragma once

#include <memory>

#include "harness/run/setup.hpp"

namespace dwarfsweep::sad {

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::sad

// The case of cp on a device.
#pragma once

#include <memory>

#include "harness/run/setup.hpp"

namespace dwarfsweep::cp {

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::cp

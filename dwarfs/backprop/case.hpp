// backprop on a device.
#pragma once

#include <memory>

#include "dwarfs/backprop/input.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::backprop {

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::backprop

// micro on a device.
#pragma once

#include <memory>

#include "dwarfs/micro/input.hpp"

namespace dwarfsweep::micro {

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::micro

// The cases of hotspot on a device.
#pragma once

#include <memory>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::hotspot {

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::hotspot

// The cases of hotspot on a device.
#pragma once

#include <memory>

#include "harness/dwarf.hpp"

namespace dwarfsweep::hotspot {

/// Throws PointFailure(unsupported) where shuffles are asked for and the device has none.
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::hotspot

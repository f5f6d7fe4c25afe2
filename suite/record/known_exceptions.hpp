// What is known to be a driver's fault, so that a row can say so. The README lists the same.
#pragma once

#include <string>

#include "harness/device.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// A sentence about a point of this status on this device, or nothing.
std::string known_exception(const DeviceInfo& device, const PointKey& point, Status status);

}  // namespace dwarfsweep

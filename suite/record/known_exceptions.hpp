// Known faults of drivers, to be named in the reason of a row. The README has the same list.
#pragma once

#include <string>

#include "harness/device/device.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// The known fault that may have caused this status of the point; empty where none is known.
std::string known_exception(const DeviceInfo& device, const PointKey& point, Status status);

}  // namespace dwarfsweep

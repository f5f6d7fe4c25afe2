// Everything that an OpenCL device answers about itself, as plain data.
#pragma once

#include <string>

#include "harness/device/device.hpp"
#include "harness/device/opencl.hpp"

namespace dwarfsweep {

/// `index` is the device's "platform:device". Throws cl::Error where the driver fails a query that every
/// driver must answer.
DeviceInfo query_device(const cl::Platform& platform, const cl::Device& device, const std::string& index);

}  // namespace dwarfsweep

// The only header that includes OpenCL; its errors by name, and a device as plain data. Version 1.2 is the
// common ground of all devices the suite runs on; what newer devices offer is asked for as a capability
// (harness/device/device.hpp).
#pragma once

#include <string>

#include "harness/device/device.hpp"
#include "harness/space/error.hpp"

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_TARGET_OPENCL_VERSION 300
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#include <CL/opencl.hpp>
#pragma GCC diagnostic pop
#include <CL/cl_ext.h>

namespace dwarfsweep {

/// "CL_OUT_OF_RESOURCES"; "error -1234" where the number has no name.
std::string cl_error_name(cl_int error);

/// "CL_OUT_OF_RESOURCES (-5) from clEnqueueNDRangeKernel".
std::string describe(const cl::Error& error);

/// `out_of_memory` where the error says so, else `launch_failed`. CL_OUT_OF_RESOURCES is not an
/// out-of-memory error: a launch fails by it where a kernel needs too many registers, a wait where a kernel
/// wrote where it must not.
Status status_of(const cl::Error& error);

/// Everything that an OpenCL device answers about itself. `index` is the device's "platform:device". Throws
/// cl::Error where the driver fails a query that every driver must answer.
DeviceInfo query_device(const cl::Platform& platform, const cl::Device& device, const std::string& index);

}  // namespace dwarfsweep

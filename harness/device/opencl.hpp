// The only header that includes OpenCL. Version 1.2 is the common ground of all devices the suite runs
// on; what newer devices offer is asked for as a capability (harness/device/device.hpp).
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_TARGET_OPENCL_VERSION 300
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#include <CL/opencl.hpp>
#pragma GCC diagnostic pop
#include <CL/cl_ext.h>

// OpenCL error numbers by name, and what they mean for a point.
#pragma once

#include <string>

#include "harness/device/opencl.hpp"
#include "harness/space/status.hpp"

namespace dwarfsweep {

/// "CL_OUT_OF_RESOURCES"; "error -1234" where the number has no name.
std::string cl_error_name(cl_int error);

/// "CL_OUT_OF_RESOURCES (-5) from clEnqueueNDRangeKernel".
std::string describe(const cl::Error& error);

/// `out_of_memory` where the error says so, else `launch_failed`. CL_OUT_OF_RESOURCES is no matter of memory:
/// a launch fails by it where a kernel needs too many registers, a wait where a kernel wrote where it must
/// not.
Status status_of(const cl::Error& error);

}  // namespace dwarfsweep

// OpenCL error numbers by name.
#pragma once

#include <string>

#include "harness/opencl.hpp"

namespace dwarfsweep {

/// "CL_OUT_OF_RESOURCES"; "error -1234" where the number has no name.
std::string cl_error_name(cl_int error);

/// "CL_OUT_OF_RESOURCES (-5) from clEnqueueNDRangeKernel".
std::string describe(const cl::Error& error);

}  // namespace dwarfsweep

// What a worker gives up before it loads a driver, so that foreign kernels find little to do in it.
#pragma once

namespace dwarfsweep {

/// The environment variable with the wall time for which the process may use all processors.
inline constexpr const char* confined_seconds = "DWARFSWEEP_CONFINED_SECONDS";

/// No network, no home directory, no large files, no core dumps, no more processor time than that, should it
/// get away from its parent: each where the system allows. To be called before the process has a second
/// thread. The home directory stays visible if the program, its working directory, or what OCL_ICD_VENDORS
/// and LD_LIBRARY_PATH name lies in it.
void confine_process();

}  // namespace dwarfsweep

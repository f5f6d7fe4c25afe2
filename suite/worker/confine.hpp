// What a worker gives up before it loads a driver, so that foreign kernels find little to do in it.
#pragma once

namespace dwarfsweep {

/// No network, no home directory, no large files, no core dumps: each where the system allows. To be called
/// before the process has a second thread. The home directory stays visible if the program, its working
/// directory, or what OCL_ICD_VENDORS and LD_LIBRARY_PATH name lies in it.
void confine_process();

}  // namespace dwarfsweep

// The caches that drivers keep of the programs they compiled.
#pragma once

namespace dwarfsweep {

/// To be called before the driver is loaded. NVIDIA's driver keeps its cache in the folder of the program
/// cache, if there is one and the user has not chosen another: so the worker finds there what builders
/// compiled, and a user who removes the one removes the other, too. PoCL's lies where POCL_CACHE_DIR says,
/// and is shared as it is.
void share_driver_caches();

}  // namespace dwarfsweep

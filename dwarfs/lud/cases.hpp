// The cases of lud on a device: buffers, launches, and the work of each kernel.
#pragma once

#include <memory>

#include "harness/dwarf.hpp"

namespace dwarfsweep::lud {

/// `space` is that of lud, `config` one of its points, and `loaded` holds a LudInput.
std::unique_ptr<Case> make_case(Workspace& workspace, const Loaded& loaded, const Space& space,
                                const Config& config);

}  // namespace dwarfsweep::lud

// The cases of kmeans on a device.
#pragma once

#include <memory>

#include "harness/dwarf.hpp"

namespace dwarfsweep::kmeans {

/// assign_only.cpp: assignments on the device, centroids on the host.
std::unique_ptr<Case> assign_only_case(Workspace& workspace, const Loaded& loaded, const Space& space,
                                       const Config& config);
/// reducing.cpp: the variants reduce and fused, all on the device.
std::unique_ptr<Case> reducing_case(Workspace& workspace, const Loaded& loaded, const Space& space,
                                    const Config& config);

}  // namespace dwarfsweep::kmeans

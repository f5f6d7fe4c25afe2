// The cases of kmeans on a device.
#pragma once

#include <memory>

#include "harness/run/dwarf.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::kmeans {

/// assign_only.cpp: assignments on the device, centroids on the host.
std::unique_ptr<Case> assign_only_case(const Setup& setup);
/// reducing.cpp: the variants reduce, blocked and fused, all on the device.
std::unique_ptr<Case> reducing_case(const Setup& setup);

}  // namespace dwarfsweep::kmeans

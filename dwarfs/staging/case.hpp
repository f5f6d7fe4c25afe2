// staging on a device.
#pragma once

#include <memory>

#include "dwarfs/staging/input.hpp"

namespace dwarfsweep::staging {

std::unique_ptr<Case> make_case(const Setup& setup);

/// Work-items of a group: those that compute, and those that only copy.
std::int64_t group_items(const Config& config);

}  // namespace dwarfsweep::staging

// The axes of mri, its default configurations, and which points are legal.
#pragma once

#include <cstdint>

#include "harness/space/space.hpp"

namespace dwarfsweep::mri {

/// The axis samples_per_launch, or where that is 0 as many as constant memory holds, or a launch may take.
std::int64_t samples_per_launch(const Config& config, const Problem& problem, const Capabilities& device);

Space make_space();

}  // namespace dwarfsweep::mri

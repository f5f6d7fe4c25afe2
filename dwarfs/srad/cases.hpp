// The cases of srad on a device.
#pragma once

#include <memory>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::srad {

/// Of the variants branches and halo: two kernels per step.
std::unique_ptr<Case> make_two_pass_case(const Setup& setup);

/// Of the variants fused and fused_rows: a step in one kernel. Throws PointFailure where sync=flags is asked
/// for and the device's groups cannot wait for each other.
std::unique_ptr<Case> make_fused_case(const Setup& setup);

}  // namespace dwarfsweep::srad

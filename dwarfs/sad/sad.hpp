// What the files of sad declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <memory>

#include "dwarfs/sad/frames.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::sad {

// The axes of sad, its default configurations, and which points are legal.

Space make_space();

// The case of sad on a device.

std::unique_ptr<Case> make_case(const Setup& setup);

// The sums on the host's cores: the CPU reference of sad.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SadInput> input, int threads);

}  // namespace dwarfsweep::sad

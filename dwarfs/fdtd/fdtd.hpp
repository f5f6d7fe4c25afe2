// What the files of fdtd declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <cstdint>
#include <memory>

#include "dwarfs/fdtd/input.hpp"
#include "dwarfs/strips.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::fdtd {

/// The most steps that one launch makes.
int max_steps_per_launch(const Config& config);

/// What a group works on in a launch of `steps` steps.
Geometry geometry_of(const Config& config, int steps, const Lanes& lanes);

/// The work-items of a launch over this grid.
LaunchRange range_of(const Geometry& geometry, const Config& config, const Grid& grid);

Space make_space();

/// The configuration to begin with if no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

std::unique_ptr<Case> make_case(const Setup& setup);

/// The steps on the host's cores, on `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const FdtdInput> input, int threads);

}  // namespace dwarfsweep::fdtd

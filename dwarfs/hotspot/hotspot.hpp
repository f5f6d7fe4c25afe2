// What the files of hotspot declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dwarfs/hotspot/input.hpp"
#include "dwarfs/strips.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"
#include "harness/space/value.hpp"

namespace dwarfsweep::hotspot {

/// The most steps that one launch makes.
int max_steps_per_launch(const Config& config);

/// What a group works on in a launch of `steps` steps.
Geometry geometry_of(const Config& config, int steps, const Lanes& lanes);

/// The grid as it lies in device memory: for single work-items, transposed if its rows are short.
Parameters stored_grid(const Config& config, const Parameters& p);

/// The work-items of a launch over a grid that lies like this.
LaunchRange range_of(const Geometry& geometry, const Config& config, const Parameters& p);

// The axes of hotspot, its default configurations, and which points are legal.

Space make_space();

/// Settings to begin with where no point is known: geometry by problem and device.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

// The cases of hotspot on a device.

std::unique_ptr<Case> make_case(const Setup& setup);

// The simulation on the host's cores: the CPU reference of hotspot.

/// The temperatures after all steps, in single precision on one thread.
std::vector<float> simulated_on_host(const HotspotInput& input);

/// The same on `threads` threads, to be timed.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const HotspotInput> input, int threads);

}  // namespace dwarfsweep::hotspot

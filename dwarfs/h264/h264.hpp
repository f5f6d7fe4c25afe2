// What the files of h264 declare to each other: its space, its case, its host version.
#pragma once

#include <memory>

#include "dwarfs/h264/video.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::h264 {

// The axes of h264, its default configurations, and which points are legal.

Space make_space();

/// Where to begin on a device if no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

// The encoder with its search on a device.

std::unique_ptr<Case> make_case(const Setup& setup);

// The whole encoder on the host: its search on the cores, the rest serial.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const VideoInput> input, int threads);

}  // namespace dwarfsweep::h264

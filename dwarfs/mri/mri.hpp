// What the files of mri declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <cstdint>
#include <memory>

#include "dwarfs/mri/scan.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::mri {

// The axes of mri, its default configurations, and which points are legal.

/// The axis samples_per_launch, or where that is 0 as many as constant memory holds, or a launch may take.
std::int64_t samples_per_launch(const Config& config, const Problem& problem, const Capabilities& device);

Space make_space();

// The case of mri on a device.

std::unique_ptr<Case> make_case(const Setup& setup);

// The reconstruction on the host's cores: the CPU reference of mri.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const MriInput> input, int threads);

}  // namespace dwarfsweep::mri

// What the files of fft_1d declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <memory>

#include "dwarfs/fft_1d/signal.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::fft_1d {

// The axes of fft_1d, its default configurations, and which points are legal.

Space make_space();

/// The variant and settings to try where no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

// The case of fft_1d on a device: a launch for each pass.

std::unique_ptr<Case> make_case(const Setup& setup);

// The transforms on the host's cores: the CPU reference of fft_1d.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const Signal> input, int threads);

}  // namespace dwarfsweep::fft_1d

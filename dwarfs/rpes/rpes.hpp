// What the files of rpes declare to each other: its space, its case and its host version.
#pragma once

#include <memory>

#include "dwarfs/rpes/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::rpes {

constexpr double operations_per_term = 40;

Space make_space();

/// Where to begin on a device if no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

/// The errors of a point's kernels.
Method method_of(const Config& config);

std::unique_ptr<Case> make_case(const Setup& setup);

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const RpesInput> input, int threads);

}  // namespace dwarfsweep::rpes

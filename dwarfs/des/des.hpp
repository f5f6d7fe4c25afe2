// What the files of des declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <memory>

#include "dwarfs/des/input.hpp"
#include "harness/program/macros.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::des {

// The axes of des, their defaults and constraints.

Space make_space();

/// Settings to begin with where no point is known: geometry by problem and device.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

// The cases of des on a device: buffers, launches, and the interpretation of results.

/// What the kernels of a point are built with.
Macros macros_of(const Setup& setup);

/// Operations of a block, or of a key in a search, as dwarfs/des/des.cpp counts them.
inline constexpr double gates_per_block = 16 * (48 + 8 * 44.125 + 32) / 32;

/// Blocks, encrypted or decrypted, or a key search.
std::unique_ptr<Case> make_case(const Setup& setup);
std::unique_ptr<Case> make_search_case(const Setup& setup);  // search_cases.cpp

// DES on the host's cores.

/// Look-up tables; the blocks (or keys) are divided among `threads` threads.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const DesInput> input, int threads);

}  // namespace dwarfsweep::des

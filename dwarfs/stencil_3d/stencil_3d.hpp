// What the files of stencil_3d declare to each other: its space and how a point is laid out, its cases, its
// host version.
#pragma once

#include <cstdint>
#include <memory>

#include "dwarfs/stencil_3d/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::stencil_3d {

// The axes of stencil_3d, its default configurations, and which points are legal.

/// The groups of a point; the same derivations as in kernels_cl/stencil_3d.
struct Groups {
  explicit Groups(const Config& config);

  std::int64_t items;           ///< of a group, those that only load among them
  std::int64_t tile_x, tile_y;  ///< points of a plane that a group computes
  std::uint64_t local_bytes;
};

Space make_space();

/// Where no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

// The case of stencil_3d on a device; all variants are launched alike.

std::unique_ptr<Case> make_case(const Setup& setup);

// The steps on the host's cores: the CPU reference of stencil_3d.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const StencilInput> input, int threads);

}  // namespace dwarfsweep::stencil_3d

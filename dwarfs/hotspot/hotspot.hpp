// What the files of hotspot declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dwarfs/hotspot/input.hpp"
#include "harness/program/macros.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/range.hpp"
#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"
#include "harness/space/value.hpp"

namespace dwarfsweep::hotspot {

// How the variants of hotspot divide the grid into tiles and strips; the space, the launches and the kernels
// all depend on it.

constexpr std::int64_t default_strip = 256;

/// The work-items of one launch.
struct LaunchRange {
  Range global, local;
};

/// The lanes that share a strip of `streaming`, where they shuffle: as few as store at least half of the
/// columns that they load, since the fewer lanes share a register file, the more of it each has; else the
/// most. With exchange=auto lanes shuffle on GPUs that certainly have so many, where they store that half or
/// are the whole group.
Lanes lanes_of(const Config& config, const Capabilities& device);

/// The most steps that one launch makes.
int max_steps_per_launch(const Config& config);

/// What a group works on in a launch of `steps` steps; the kernels get each as a macro.
struct Geometry {
  Geometry(const Config& config, int steps, const Lanes& lanes);

  /// The work-items of a launch over this grid.
  [[nodiscard]] LaunchRange range(const Config& config, const Parameters& p) const;

  std::int64_t halo =
      0;  ///< cells that a tile or strip loads on each side: one per step, in strips whole vectors
  std::int64_t stored = 0;       ///< edge of a tile's stored square, or columns that a strip stores
  std::int64_t strip_items = 0;  ///< streaming: work-items that share a strip
};

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

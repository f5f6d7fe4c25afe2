// What the files of fdtd declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <cstdint>
#include <memory>

#include "dwarfs/fdtd/input.hpp"
#include "harness/program/macros.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/range.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::fdtd {

constexpr std::int64_t default_strip = 256;

/// The lanes that share a strip of `streaming` if they shuffle: the fewest that store at least half of the
/// columns that they load, else the most.
Lanes lanes_of(const Config& config, const Capabilities& device);

/// The most steps that one launch makes.
int max_steps_per_launch(const Config& config);

/// The work-items of one launch.
struct LaunchRange {
  Range global, local;
};

/// What a group works on in a launch of `steps` steps; the kernels get each as a macro.
struct Geometry {
  Geometry(const Config& config, int steps, const Lanes& lanes);

  [[nodiscard]] LaunchRange range(const Config& config, const Grid& grid) const;

  std::int64_t halo = 0;         ///< streaming: columns that a strip loads on each side, whole vectors
  std::int64_t stored = 0;       ///< columns that a strip stores, or the edge of a group's square
  std::int64_t strip_items = 0;  ///< streaming: work-items that share a strip
};

Space make_space();

/// Where no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

std::unique_ptr<Case> make_case(const Setup& setup);

/// The steps on the host's cores, on `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const FdtdInput> input, int threads);

}  // namespace dwarfsweep::fdtd

// What the files of tpacf declare to each other: its space and how a point is laid out, its cases, its host
// version.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dwarfs/tpacf/sky.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::tpacf {

// The axes of tpacf, its default configurations, and which points are legal.

Space make_space();

/// Where to begin on a device if no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

/// How the pairs are shared out among groups: spans of points, and of partners, for each pair of sets.
struct Jobs {
  std::int64_t a_span = 0, b_span = 0;    ///< in points
  std::int64_t a_count = 0, b_count = 0;  ///< spans of a set
  std::int64_t rows = 0;                  ///< histograms that groups write
};
Jobs jobs_of(const Config& config, const Problem& problem);

/// register and cumulative: blocks of partners between two barriers, unless the group is larger.
constexpr std::int64_t least_blocks = 32;

/// The kernel `sort` has a counter for each cell of the sky.
constexpr std::int64_t most_bands = 32;
constexpr std::int64_t cells_of_band = 64;
constexpr std::int64_t most_sort_group = 256;
constexpr std::uint64_t sort_local_bytes = 4 * (most_bands * cells_of_band + most_sort_group);

/// The table of search=table. A value's bits without the lowest `shift` number its cell.
struct LookupTable {
  struct Cell {
    float edge = 0;         ///< the edge within the cell, as a quarter of 1 - cosine; infinity: none
    std::int32_t slot = 0;  ///< edges below the cell
  };
  int shift = 0;
  std::vector<Cell> cells;
};
/// Of the coarsest cells that hold at most one edge each; none if four bits of the mantissa do not suffice.
std::optional<LookupTable> lookup_table(std::span<const float> distances);

// The case of tpacf on a device.

std::unique_ptr<Case> make_case(const Setup& setup);

// The counts on the host's cores: the CPU reference of tpacf.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SkyInput> input, int threads);

}  // namespace dwarfsweep::tpacf

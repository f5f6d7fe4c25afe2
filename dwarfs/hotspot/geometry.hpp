// How the variants of hotspot divide the grid into tiles and strips; the space, the launches and the kernels
// all depend on it.
#pragma once

#include <cstdint>

#include "dwarfs/hotspot/chip.hpp"
#include "harness/launcher.hpp"
#include "harness/value.hpp"

namespace dwarfsweep::hotspot {

constexpr std::int64_t shuffling_lanes = 32;
constexpr std::int64_t default_strip = 256;

/// Columns that a strip loads on each side of those that it stores: one is lost per step, in whole vectors.
std::int64_t strip_halo(std::int64_t width, std::int64_t steps);

/// Columns that a strip of `items` work-items stores; none where it is not positive.
std::int64_t stored_columns(std::int64_t items, std::int64_t width, std::int64_t steps);

/// Whether lanes shuffle where the device has inline PTX.
bool may_shuffle(const Config& config);

/// Work-items that share a strip of the variant streaming.
std::int64_t strip_items(const Config& config, bool shuffle);

/// The most steps that one launch makes.
int max_steps_per_launch(const Config& config);

/// The work-items of one launch.
struct LaunchRange {
  Range global, local;
};

/// Of a launch that makes `steps` steps.
LaunchRange launch_range(const Config& config, const Parameters& p, int steps, bool shuffle);

}  // namespace dwarfsweep::hotspot

// The cases of hotspot on a device, and what its space and its launches both reckon with.
#pragma once

#include <memory>

#include "dwarfs/hotspot/input.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::hotspot {

constexpr std::int64_t shuffling_lanes = 32;
constexpr std::int64_t default_strip = 256;

/// Columns that a strip of `items` work-items stores: a column is lost per step, in whole vectors.
std::int64_t stored_columns(std::int64_t items, std::int64_t width, std::int64_t steps);

/// Whether lanes shuffle where the device has inline PTX.
bool may_shuffle(const Config& config);

/// Work-items that share a strip.
std::int64_t strip_items(const Config& config, bool shuffle);

/// What a case is made from.
struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const HotspotInput> input;
};

/// Throws PointFailure(unsupported) where shuffles are asked for and the device has none.
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::hotspot

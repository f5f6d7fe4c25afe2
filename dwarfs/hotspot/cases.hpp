// The cases of hotspot on a device.
#pragma once

#include <memory>

#include "dwarfs/hotspot/input.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::hotspot {

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

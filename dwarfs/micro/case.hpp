// micro on a device.
#pragma once

#include <memory>

#include "dwarfs/micro/input.hpp"

namespace dwarfsweep::micro {

/// What a case is made from.
struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const MicroInput> input;
};

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::micro

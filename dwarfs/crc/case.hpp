// The cases of crc on a device.
#pragma once

#include <memory>

#include "dwarfs/crc/gf2.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::crc {

constexpr std::size_t max_combine_group = 64;  ///< work-items of `combine`, where the device allows so many

/// What a case is made from.
struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const CrcInput> input;
};

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::crc

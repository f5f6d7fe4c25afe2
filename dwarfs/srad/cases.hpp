// The cases of srad on a device: buffers, launches, and the reading of what came of them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "dwarfs/srad/input.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::srad {

/// Work-items of a group in the statistics' kernels; less where the device allows less.
inline constexpr std::size_t max_group = 256;

/// Does that variant make a step in one kernel?
inline bool is_fused(const std::string& variant) {
  return variant == "fused" || variant == "fused_rows";
}

/// What a case is made from.
struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const SradInput> input;
};

std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::srad

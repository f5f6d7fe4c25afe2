// The cases of sgemv on a device.
#pragma once

#include <memory>

#include "dwarfs/sgemv/input.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::sgemv {

/// What a case is made from.
struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const SgemvInput> input;
};

/// Of all variants but split_k: one kernel, whose groups have all terms of their outputs.
std::unique_ptr<Case> make_rows_case(const Setup& setup);

/// Of the variant split_k: groups share out the terms as well, and a second kernel adds their sums.
std::unique_ptr<Case> make_split_case(const Setup& setup);

}  // namespace dwarfsweep::sgemv

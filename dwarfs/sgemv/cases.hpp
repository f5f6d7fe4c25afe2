// The cases of sgemv on a device.
#pragma once

#include <memory>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::sgemv {

/// Of all variants but split_k: one kernel, whose groups have all terms of their outputs.
std::unique_ptr<Case> make_rows_case(const Setup& setup);

/// Of the variant split_k: the terms are divided among groups as well, and a second kernel adds the groups'
/// sums.
std::unique_ptr<Case> make_split_case(const Setup& setup);

}  // namespace dwarfsweep::sgemv

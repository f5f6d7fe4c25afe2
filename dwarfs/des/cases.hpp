// The cases of des on a device: buffers, launches, and the interpretation of results.
#pragma once

#include <memory>

#include "dwarfs/des/input.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::des {

/// Blocks, encrypted or decrypted.
std::unique_ptr<Case> make_block_case(const Setup& setup);

/// A key search.
std::unique_ptr<Case> make_search_case(const Setup& setup);

}  // namespace dwarfsweep::des

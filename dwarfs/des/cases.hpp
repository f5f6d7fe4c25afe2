// The cases of des on a device: buffers, launches, and the interpretation of results.
#pragma once

#include <memory>

#include "dwarfs/des/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::des {

/// What the kernels of a point are built with.
inline Macros macros_of(const Setup& setup) {
  return setup.macros().define("SEARCH", setup.input<DesInput>()->mode() == Mode::search ? 1 : 0);
}

/// Operations of a block, or of a key in a search, as dwarfs/des/des.cpp counts them.
inline constexpr double gates_per_block = 16 * (48 + 8 * 44.125 + 32) / 32;

/// Blocks, encrypted or decrypted.
std::unique_ptr<Case> make_block_case(const Setup& setup);

/// A key search.
std::unique_ptr<Case> make_search_case(const Setup& setup);

}  // namespace dwarfsweep::des

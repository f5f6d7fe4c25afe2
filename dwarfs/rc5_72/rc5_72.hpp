// What the files of rc5_72 declare to each other.
#pragma once

#include <memory>

#include "dwarfs/rc5_72/search.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::rc5_72 {

/// Operations on a key, as dwarfs/rc5_72/rc5_72.cpp counts them.
inline constexpr double operations_per_key = 78 * 6 + 2 + 12 * 6;

Space make_space();

/// Where to begin on a device if no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);
std::unique_ptr<Case> make_case(const Setup& setup);
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SearchInput> input, int threads);

}  // namespace dwarfsweep::rc5_72

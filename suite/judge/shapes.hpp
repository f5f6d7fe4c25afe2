// The problems on which a candidate is tried without having been told.
#pragma once

#include <optional>

#include "harness/run/dwarf.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep {

/// A small problem that this configuration takes: one of the dwarf's odd ones, or drawn as the property tests
/// draw theirs. Nothing if none was found in many draws.
std::optional<Problem> draw_shape(const Dwarf& dwarf, const Config& config, const Capabilities& capabilities,
                                  std::int64_t most_elements, Random& random);

}  // namespace dwarfsweep

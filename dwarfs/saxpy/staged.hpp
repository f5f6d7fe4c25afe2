// What saxpy's variant `staged` and the axis `dummy` add to its space, and what the papers measured.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep::saxpy {

/// Axes, defaults and constraints.
void add_staged(Space& space);

/// Work-items of a group: those that compute, and those that only load.
std::int64_t group_items(const Config& config);

std::vector<PaperSetting> paper_settings();

}  // namespace dwarfsweep::saxpy

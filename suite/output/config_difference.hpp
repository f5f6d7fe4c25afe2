// How configurations of a dwarf differ: for naming and ordering them.
#pragma once

#include <string>
#include <vector>

#include "harness/space/value.hpp"

namespace dwarfsweep {

/// "granularity=2, unroll=4": the values of `config` that `base` does not have; the axis `variant` is left
/// out.
std::string difference_text(const Config& config, const Config& base);

/// The order of a table's rows: few differences from `base` first, then by axis and value (granularity 2, 4,
/// 8 before unroll 2).
bool difference_less(const Config& a, const Config& b, const Config& base);

/// The value of the axis `variant`; empty where there is none.
std::string variant_of(const Config& config);

/// The configuration, of at least one, that is nearest to the most frequent value of every axis. In a plan
/// that varies one axis at a time that is the default configuration of the variant, which rows do not name.
const Config& most_typical(const std::vector<Config>& configs);

}  // namespace dwarfsweep

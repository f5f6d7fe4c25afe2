// What the two ways to compare have in common.
#pragma once

#include <string>

#include "suite/compare/compare.hpp"
#include "suite/plan/options.hpp"

namespace dwarfsweep {

/// `format`: text, markdown, junit or json.
void print_comparison(const Comparison& comparison, const std::string& format);

/// `compare --pairs`. Returns the exit status.
int compare_pairs(const Options& options, const CompareRule& rule);

}  // namespace dwarfsweep

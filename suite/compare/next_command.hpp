// The commands that would decide what a comparison leaves undecided.
#pragma once

#include <string>
#include <vector>

#include "suite/compare/compare.hpp"

namespace dwarfsweep {

/// The word as a shell takes it.
std::string shell_quoted(const std::string& word);

/// For each of the first few undecided points a sweep of that point alone with as many measurement blocks as
/// should suffice. Unless the comparison is `paired` it is to be run under the old driver and under the new
/// one.
std::vector<std::string> next_commands(const Comparison& comparison);

}  // namespace dwarfsweep

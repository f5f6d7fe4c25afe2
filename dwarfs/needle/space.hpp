// The axes, defaults and constraints of needle.
#pragma once

#include <string>

#include "harness/space/space.hpp"

namespace dwarfsweep::needle {

bool is_strip(const std::string& variant);   ///< the variants of strip.cpp
bool is_stored(const std::string& variant);  ///< whether it writes the matrix

Space make_space();

}  // namespace dwarfsweep::needle

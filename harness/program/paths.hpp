// What a device's capabilities decided in the programs of a point: by which way groups wait and lanes
// shuffle.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/program/program.hpp"

namespace dwarfsweep {

/// "groups wait by ordered atomics", "lanes shuffle in sub-groups of 16"; each once, and none where the
/// programs do nothing of the kind. Told from the options, which are all that a compiler knows of a device.
std::vector<std::string> paths_taken(const std::vector<std::shared_ptr<const Program>>& programs);

}  // namespace dwarfsweep

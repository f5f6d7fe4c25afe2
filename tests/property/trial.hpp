// One trial: a random problem with a random legal configuration.
#pragma once

#include <cstdint>
#include <string>

#include "harness/run/dwarf.hpp"
#include "suite/plan/point_request.hpp"

namespace dwarfsweep::property {

struct Trial {
  const Dwarf* dwarf = nullptr;
  ValueMap problem;  ///< every key has a value
  Config config;
  std::uint64_t seed = 1;  ///< of the data
};

PointRequest request_of(const Trial& trial);

/// The command that repeats the trial on `device`, a selector. Settings that the variant's default
/// configuration on such a device has are left out.
std::string command_of(const Trial& trial, const std::string& device, const Capabilities& capabilities);

/// None of the problem's keys is out of its range, and the space takes the configuration. That the dwarf
/// takes the combination of keys is seen only when the data is generated.
bool is_legal(const Trial& trial, const Capabilities& capabilities);

}  // namespace dwarfsweep::property

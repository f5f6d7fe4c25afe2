// What the best point is to have least of.
#pragma once

#include <string>
#include <vector>

#include "harness/device/device.hpp"

namespace dwarfsweep {

enum class Objective {
  time,
  energy,  ///< of a run; of the whole device, its idle share included
  both,    ///< the search goes by the product; what it finds is the Pareto front
};
/// "time", "energy" or "both".
Objective objective_of(const std::string& name);

/// Throws UsageError naming a device that does not tell its energy.
void require_meters(const std::vector<DeviceInfo>& devices, const std::string& objective);

}  // namespace dwarfsweep

// The points that two environments, as an old driver and a new one, have in common.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "suite/engine/sweep_group.hpp"
#include "suite/plan/options.hpp"

namespace dwarfsweep {

/// One of two environments, and its device.
struct PairedSide {
  std::string text;                    ///< as given: "OCL_ICD_VENDORS=/old"
  std::vector<std::string> variables;  ///< "NAME=value"
  DeviceInfo device;                   ///< as its driver has it
  std::string id;                      ///< of the device in the run: its own, and which side it is
};
using PairedSides = std::array<PairedSide, 2>;

/// Asks each environment for its devices; --device names one of each, or first the old one's and then the new
/// one's. Throws UsageError and NoDeviceError.
PairedSides find_sides(const Options& options);

/// The same points on both sides, in the same order: those that the plan has on either.
using PairedGroup = std::array<SweepGroup, 2>;
std::vector<PairedGroup> plan_pairs(const Options& options, const PairedSides& sides);

}  // namespace dwarfsweep

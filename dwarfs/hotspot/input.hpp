// The grids that hotspot starts from: generated, or read from files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/hotspot/chip.hpp"
#include "dwarfs/hotspot/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::hotspot {

/// Temperature and power of each cell, row-major.
class HotspotInput final : public Input {
 public:
  HotspotInput(const Parameters& parameters, std::vector<float> temperature, std::vector<float> power);

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<float>& temperature() const { return temperature_; }
  [[nodiscard]] const std::vector<float>& power() const { return power_; }
  /// `output` holds rows x cols temperatures.
  [[nodiscard]] Check check(std::span<const float> output) const { return verifier_.check(output); }

 private:
  Parameters parameters_;
  std::vector<float> temperature_, power_;
  Verifier verifier_;
};

/// Temperatures from 320 to 345, with no similarity between neighbours: so that a step changes all of them.
/// Power up to 300 times what the chip's maximum allows a cell, which would otherwise be lost in rounding.
/// Throws PointFailure where the host's memory does not suffice.
std::shared_ptr<const HotspotInput> generate_grids(const Parameters& parameters, std::uint64_t seed);

/// Two files, temperature and power, as info.input_formats says. Throws UsageError, InputError, PointFailure.
Loaded load_grids(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::hotspot

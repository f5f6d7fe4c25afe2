// Thermal simulation of a chip on the host: constants, inputs, the check of a result, and the simulation that
// is the yardstick. The reference shares no code with the kernels; what is computed is said in
// kernels_cl/hotspot/hotspot.cl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep::hotspot {

struct Parameters {
  std::size_t rows = 0, cols = 0;
  int steps = 1;
  [[nodiscard]] std::size_t cells() const { return rows * cols; }
};

Parameters parameters_of(const Problem& problem);

/// The chip and its material, as the classic program has them; SI units, temperatures as in its files.
struct Constants {
  double chip_height = 0.016;      ///< m
  double chip_width = 0.016;       ///< m
  double thickness = 0.0005;       ///< m
  double ambient = 80;             ///< temperature around the chip
  double max_power_density = 3e6;  ///< W / m^2
  double precision = 0.001;        ///< the most that power alone may heat in one time step
  double specific_heat = 1.75e6;   ///< of silicon, J / (m^3 K)
  double conductivity = 100;       ///< of silicon, W / (m K)
  double capacitance_factor = 0.5;
};

/// The classic constants, but for `precision`, which is halved until the time step that follows from it is
/// stable. At 0.001 it is up to 1386 x 1386 cells; beyond that the classic program's temperatures diverge.
Constants constants_of(const Parameters& parameters);

/// A step with everything folded: T += own T + vertical (north + south) + horizontal (west + east) + gain
/// power + offset.
struct Weights {
  float own, vertical, horizontal, gain, offset;
};

Weights weights_of(const Parameters& parameters);

/// Temperature and power of each cell, row-major, and the temperatures after all steps, computed when first
/// asked for.
class HotspotInput final : public Input {
 public:
  HotspotInput(const Parameters& parameters, std::vector<float> temperature, std::vector<float> power);

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<float>& temperature() const { return temperature_; }
  [[nodiscard]] const std::vector<float>& power() const { return power_; }
  /// `output` holds rows x cols temperatures.
  [[nodiscard]] Check check(std::span<const float> output) const;

 private:
  void compute_reference() const;

  Parameters parameters_;
  std::vector<float> temperature_, power_;
  mutable std::once_flag once_;
  mutable std::vector<float> expected_;
  mutable double tolerance_ = 0;
};

/// Temperatures from 320 to 345, without any likeness between neighbours: so that a step moves all of them.
/// Power up to 300 times what the chip's maximum allows a cell, which would otherwise hide behind rounding.
std::shared_ptr<const HotspotInput> random_input(const Parameters& parameters, std::uint64_t seed);

/// The temperatures after all steps, in single precision on one thread.
std::vector<float> simulated_on_host(const HotspotInput& input);

/// The same as a yardstick, on `threads` threads.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const HotspotInput> input, int threads);

}  // namespace dwarfsweep::hotspot

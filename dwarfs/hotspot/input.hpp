// The chip that hotspot simulates: a grid of cells, a network of resistors and capacitors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"

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

/// The classic constants, except for `precision`, which is halved until the time step that follows from it is
/// stable. At 0.001 it is stable up to 1386 x 1386 cells; beyond that the classic program's temperatures
/// diverge.
Constants constants_of(const Parameters& parameters);

/// One cell of the network.
struct Cell {
  Cell(const Parameters& p, const Constants& c);

  double capacitance;                               ///< J / K
  double resistance_x, resistance_y, resistance_z;  ///< K / W: to the east, to the south, to the ambience
  double time_step;                                 ///< s
};

/// A step with all constants folded:
///   T += own T + vertical (north + south) + horizontal (west + east) + gain power + offset.
struct Weights {
  float own, vertical, horizontal, gain, offset;
};

Weights weights_of(const Parameters& parameters);

/// The expected temperatures and their tolerance, computed at the first check.
class Verifier {
 public:
  /// `temperature` and `power` hold rows x cols values, and must outlive the verifier.
  Verifier(const Parameters& parameters, const std::vector<float>& temperature,
           const std::vector<float>& power);
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `output` holds rows x cols temperatures. Errors are absolute.
  [[nodiscard]] Check check(std::span<const float> output) const;

 private:
  void compute_expected() const;

  Parameters parameters_;
  const std::vector<float>& temperature_;
  const std::vector<float>& power_;
  mutable std::once_flag once_;
  mutable std::vector<float> expected_;
  mutable double tolerance_ = 0;
};

// The grids that hotspot starts from: generated, or read from files.

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

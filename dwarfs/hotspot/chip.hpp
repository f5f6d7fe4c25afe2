// The chip that hotspot simulates: a grid of cells, a network of resistors and capacitors.
#pragma once

#include <cstddef>

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

}  // namespace dwarfsweep::hotspot

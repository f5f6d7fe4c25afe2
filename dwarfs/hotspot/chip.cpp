#include "dwarfs/hotspot/chip.hpp"

namespace dwarfsweep::hotspot {

Parameters parameters_of(const Problem& problem) {
  return {static_cast<std::size_t>(problem.integer("rows")),
          static_cast<std::size_t>(problem.integer("cols")), static_cast<int>(problem.integer("steps"))};
}

Cell::Cell(const Parameters& p, const Constants& c) {
  const double height = c.chip_height / static_cast<double>(p.rows);
  const double width = c.chip_width / static_cast<double>(p.cols);
  capacitance = c.capacitance_factor * c.specific_heat * c.thickness * width * height;
  resistance_x = width / (2 * c.conductivity * c.thickness * height);
  resistance_y = height / (2 * c.conductivity * c.thickness * width);
  resistance_z = c.thickness / (c.conductivity * height * width);
  const double max_slope =
      c.max_power_density / (c.capacitance_factor * c.thickness * c.specific_heat);  // K / s
  time_step = c.precision / max_slope;
}

Constants constants_of(const Parameters& parameters) {
  Constants constants;
  // An explicit step is stable while no cell passes on more than it has: its own weight must not be negative.
  const auto passed_on = [&] {
    const Cell cell(parameters, constants);
    return cell.time_step / cell.capacitance *
           (2 / cell.resistance_x + 2 / cell.resistance_y + 1 / cell.resistance_z);
  };
  while (passed_on() > 1) constants.precision /= 2;
  return constants;
}

Weights weights_of(const Parameters& parameters) {
  const Constants constants = constants_of(parameters);
  const Cell cell(parameters, constants);
  const double gain = cell.time_step / cell.capacitance;
  const double x = gain / cell.resistance_x;
  const double y = gain / cell.resistance_y;
  const double z = gain / cell.resistance_z;
  return {static_cast<float>(-2 * x - 2 * y - z), static_cast<float>(y), static_cast<float>(x),
          static_cast<float>(gain), static_cast<float>(z * constants.ambient)};
}

}  // namespace dwarfsweep::hotspot

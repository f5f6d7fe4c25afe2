#include "dwarfs/hotspot/input.hpp"

#include <fmt/format.h>

#include <optional>

#include "harness/device/host.hpp"
#include "harness/formats/matrix.hpp"
#include "harness/statistics/random.hpp"

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

namespace {

void require_memory(const Parameters& p) {
  // The inputs, the expected and the actual output, and two grids of the verification.
  require_host_memory(fmt::format("hotspot: a grid of {} x {} and its check", p.rows, p.cols),
                      p.cells() * (4 * sizeof(float) + 2 * sizeof(double)));
}

}  // namespace

HotspotInput::HotspotInput(const Parameters& parameters, std::vector<float> temperature,
                           std::vector<float> power)
    : parameters_(parameters),
      temperature_(std::move(temperature)),
      power_(std::move(power)),
      verifier_(parameters_, temperature_, power_) {}

std::shared_ptr<const HotspotInput> generate_grids(const Parameters& parameters, std::uint64_t seed) {
  require_memory(parameters);
  const Constants constants = constants_of(parameters);
  const double area = constants.chip_height * constants.chip_width / static_cast<double>(parameters.cells());
  std::vector<float> temperature(parameters.cells());
  Random(seed_of_part(seed, 0)).fill_uniform(temperature, 320, 345);
  std::vector<float> power(parameters.cells());
  Random(seed_of_part(seed, 1))
      .fill_uniform(power, 0, static_cast<float>(300 * constants.max_power_density * area));
  return std::make_shared<HotspotInput>(parameters, std::move(temperature), std::move(power));
}

Loaded load_grids(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 2);
  std::optional<GridShape> shape;
  if (request.has("rows") && request.has("cols")) {
    const Parameters wanted = parameters_of(make_problem(info.name, info.keys, {"file", request}));
    shape = {static_cast<std::int64_t>(wanted.rows), static_cast<std::int64_t>(wanted.cols)};
  }
  Matrix temperature = read_grid(files[0], shape);
  ValueMap values = with_found(info.name, request, "rows", temperature.rows, files[0]);
  values = with_found(info.name, values, "cols", temperature.cols, files[0]);
  Matrix power = read_grid(files[1], GridShape{temperature.rows, temperature.cols});
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  const Parameters p = parameters_of(problem);
  require_memory(p);
  return {std::move(problem),
          std::make_shared<HotspotInput>(p, std::move(temperature.values), std::move(power.values))};
}

}  // namespace dwarfsweep::hotspot

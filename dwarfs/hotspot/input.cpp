#include "dwarfs/hotspot/input.hpp"

#include <fmt/format.h>

#include <optional>

#include "harness/device/host.hpp"
#include "harness/formats/matrix.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::hotspot {
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

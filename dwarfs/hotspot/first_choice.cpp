// hotspot where no point is known: strips as high as leave every compute unit enough of them.
#include "dwarfs/hotspot/geometry.hpp"
#include "dwarfs/hotspot/space.hpp"

namespace dwarfsweep::hotspot {
namespace {

// On an H200 (132 units) the best heights at 2048, 4096 and 8192 squared are 16, 64 and 128 rows: the highest
// that still give a unit so many work-items. With fewer than `few` the time is that of one group alone, which
// passes all of its rows through all of its steps; tiles in local memory are shorter than that.
constexpr std::size_t enough_items = 512;
constexpr std::size_t few_items = 64;

std::size_t count(const Range& range) {
  return range.sizes[0] * range.sizes[1];
}

}  // namespace

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  const auto range_of = [&](const ValueMap& choice) {
    const Config config = space.set(space.baseline(), choice, device);
    const Geometry geometry(config, max_steps_per_launch(config), lanes_of(config, device));
    return geometry.range(config, parameters_of(problem));
  };
  ValueMap choice{{"variant", "streaming"}};
  LaunchRange range = range_of(choice);
  for (const int rows : {64, 32, 16}) {
    const std::size_t wanted = device.compute_units * (device.is_gpu ? enough_items : 1);
    if (count(range.global) / (device.is_gpu ? 1 : count(range.local)) >= wanted) return choice;
    choice = choice.with("granularity", rows);
    range = range_of(choice);
  }
  const bool idle = count(range.global) < few_items * device.compute_units;
  if (!device.is_gpu || !idle) return choice;
  return {{"variant", "pyramid"}, {"pyramid_height", 8}};
}

}  // namespace dwarfsweep::hotspot

#include "dwarfs/hotspot/hotspot.hpp"

#include <algorithm>
#include <limits>

#include "harness/device/kinds.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::hotspot {

namespace {

void add_constraints(Space& space) {
  const auto streams = [](const Point& p) { return p.variant() == "streaming"; };
  space.constrain(
      "variant=single_step and variant=pyramid require work_group of 8, 16, 32 or 64, the edge of a tile",
      [=](const Point& p) { return streams(p) || (p["work_group"] >= 8 && p["work_group"] <= 64); });
  space.constrain("granularity must be at most work_group, the edge of a tile",
                  [=](const Point& p) { return streams(p) || p["granularity"] <= p["work_group"]; });
  space.constrain("vector_width must be at most work_group, the edge of a tile",
                  [=](const Point& p) { return streams(p) || p["vector_width"] <= p["work_group"]; });
  space.constrain("unroll must be at most granularity, the iterations of the loop over rows",
                  [=](const Point& p) { return streams(p) || p["unroll"] <= p["granularity"]; });
  space.constrain(
      "twice pyramid_height must be less than work_group: a tile loses a cell on each side per step",
      [](const Point& p) { return p.variant() != "pyramid" || 2 * p["pyramid_height"] < p["work_group"]; });
  space.constrain("sync=flags requires work_group=1",
                  [](const Point& p) { return p.config.string("sync") != "flags" || p["work_group"] == 1; });
  add_strip_constraints(space);
}

// What a point requires of a device.
void add_requirements(Space& space) {
  space.group_items([](const Point& p) {
    const std::int64_t items = p.variant() == "streaming"
                                   ? p["work_group"]
                                   : p["work_group"] * p["work_group"] / p["granularity"] / p["vector_width"];
    return static_cast<std::uint64_t>(items);
  });
  space.local_bytes([](const Point& p) -> std::uint64_t {
    const std::int64_t group = p["work_group"];
    if (p.variant() == "pyramid") return static_cast<std::uint64_t>(2 * group * (group + 2)) * sizeof(float);
    if (p.variant() == "streaming" && group > 1 && !lanes_of(p.config, p.device).shuffle())
      return static_cast<std::uint64_t>(2 * 2 * p["depth"] * (group + 1)) * sizeof(float);
    return 0;
  });
}

}  // namespace

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "single_step: a step per launch; pyramid: several in local memory; streaming: several in "
             "registers or private memory, in strips of columns row by row",
             {"single_step", "pyramid", "streaming"},
             "single_step"})
      .axis({"work_group",
             "single_step, pyramid: edge of a tile; streaming: work-items of a group",
             {1, 8, 16, 32, 64, 128, 256},
             16})
      .axis({"granularity",
             "single_step, pyramid: rows per work-item; streaming: rows that a group stores",
             {1, 4, 16, 32, 64, 96, 128, 192, 256, 512, 1024},
             1})
      .axis({"vector_width", "neighbouring columns computed at once", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll",
             "of the loop over rows; streaming with one work-item: of the loop over vectors of a row",
             {1, 2, 4},
             1})
      .axis({"padding",
             "0: columns beyond the grid are mapped cell by cell; 1: rows are aligned and have mirrored "
             "margins",
             {0, 1},
             0})
      .axis({"pyramid_height", "the most steps per launch", {1, 2, 3, 4, 5, 6, 7, 8}, 1, {"pyramid"}})
      .axis({"depth", "the most steps per launch", {1, 2, 4, 6, 8, 12}, 4, {"streaming"}});
  add_strip_axes(space);
  space.axis(
      {"sync",
       "how a work-item's strips wait for the steps of others: a launch for each depth, flags within one "
       "launch, or (auto) flags on CPUs where work-groups may wait for each other",
       {"auto", "launches", "flags"},
       "auto",
       {"streaming"}});
  space.axis(submission_axis())
      .default_setting("pyramid", {{"work_group", 16}, {"pyramid_height", 2}})
      .default_setting("pyramid",
                       {{"work_group", 32}, {"granularity", 4}, {"unroll", 4}, {"pyramid_height", 2}}, is_gpu)
      .default_setting(
          "streaming",
          {{"work_group", 1}, {"granularity", 128}, {"vector_width", 16}, {"padding", 1}, {"depth", 12}})
      .default_setting("streaming",
                       {{"work_group", 32},
                        {"granularity", 128},
                        {"vector_width", 4},
                        {"unroll", 4},
                        {"padding", 1},
                        {"depth", 12},
                        {"prefetch", 4}},
                       is_gpu)
      // In sub-groups of 8 the most levels whose values Intel's compiler keeps in registers (DG2).
      .default_setting("streaming", {{"work_group", 64}, {"unroll", 2}, {"depth", 4}, {"prefetch", 2}},
                       has_few_registers)
      // 164 registers on gfx90a, where 12 levels take 240; on gfx1030 those spill.
      .default_setting("streaming", {{"work_group", 64}, {"unroll", 2}, {"depth", 8}, {"prefetch", 2}},
                       has_waves);
  add_constraints(space);
  add_requirements(space);
  return space;
}

// hotspot where no point is known: strips as high as leave every compute unit enough of them.

namespace {

// On an H200 (132 units) the best heights at 2048, 4096 and 8192 squared are 16, 64 and 128 rows: the highest
// that still give a unit so many work-items. With fewer than `few` the time is that of one group alone, which
// passes all of its rows through all of its steps; tiles in local memory are shorter than that.
constexpr std::size_t enough_items = 512;
constexpr std::size_t few_items = 64;

std::size_t count(const Range& range) {
  return range.sizes[0] * range.sizes[1];
}

// llvmpipe computes wrong results beyond 65,535 iterations of all of a work-item's loops; these are those
// over vectors, which leave some to the others.
constexpr std::size_t most_vectors = 60'000;

// Wide and high strips repeat few cells of others, narrow and low ones occupy the cores evenly: the last
// group may begin when all cores but one have nothing left to do.
ValueMap choice_for_cores(const Parameters& p, const Config& streaming, const Capabilities& device) {
  const Parameters grid = stored_grid(streaming, p);
  const auto vector = static_cast<std::size_t>(streaming.integer("vector_width"));
  const auto levels = static_cast<std::size_t>(max_steps_per_launch(streaming));
  const auto halo = static_cast<std::size_t>(strips_of(streaming, max_steps_per_launch(streaming), {}).halo);
  ValueMap best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::size_t height : {128, 256, 64, 32, 16}) {
    for (const std::size_t width : {256, 512, 1024, 128}) {
      const std::size_t strips = ceil_div(grid.cols, width);
      const std::size_t bands = ceil_div(grid.rows, height);
      const std::size_t columns = ceil_div(grid.cols, strips) + 2 * halo;
      const std::size_t repeated = bands > 1 ? levels : 0;
      const std::size_t all = strips * columns * (grid.rows + bands * repeated);
      const std::size_t last = columns * (std::min(height, grid.rows) + repeated);
      const std::size_t cost = all + (device.compute_units - 1) * last;
      const std::size_t vectors = columns / vector * levels * (std::min(height, grid.rows) + 2 * repeated);
      if (cost >= least || vectors > most_vectors) continue;
      least = cost;
      best = {{"granularity", static_cast<std::int64_t>(height)},
              {"strip", static_cast<std::int64_t>(width)}};
    }
  }
  return best.with("variant", "streaming");
}

}  // namespace

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  const Parameters p = parameters_of(problem);
  if (!device.is_gpu) return choice_for_cores(p, space.default_config("streaming", device), device);
  const auto items_of = [&](const ValueMap& choice) {
    const Config config = space.set(space.baseline(), choice, device);
    const Geometry geometry = geometry_of(config, max_steps_per_launch(config), lanes_of(config, device));
    return count(range_of(geometry, config, p).global);
  };
  ValueMap choice{{"variant", "streaming"}};
  std::size_t items = items_of(choice);
  for (const int rows : {64, 32, 16}) {
    if (items >= enough_items * device.compute_units) return choice;
    choice = choice.with("granularity", rows);
    items = items_of(choice);
  }
  if (items >= few_items * device.compute_units) return choice;
  return {{"variant", "pyramid"}, {"pyramid_height", 8}};
}

}  // namespace dwarfsweep::hotspot

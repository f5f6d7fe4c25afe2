#include "dwarfs/fdtd/fdtd.hpp"
#include "harness/device/kinds.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::fdtd {
namespace {

bool streams(const Point& p) {
  return p.variant() == "streaming";
}

/// The group is a square of cells.
bool is_square(const Point& p) {
  return p.variant() == "two_kernels" || p.variant() == "tiled";
}

void add_constraints(Space& space) {
  space.constrain(
      "variant=two_kernels and variant=tiled require work_group of 8, 16 or 32",
      [](const Point& p) { return !is_square(p) || (p["work_group"] >= 8 && p["work_group"] <= 32); });
  space.constrain("granularity must be at most work_group: a work-item has no more rows than its group",
                  [](const Point& p) { return !is_square(p) || p["granularity"] <= p["work_group"]; });
  space.constrain("layout=aos and variant=tiled require vector_width=1", [](const Point& p) {
    const bool vectors = p.variant() == "two_kernels" && p.config.string("layout") == "soa";
    return !is_square(p) || p["vector_width"] == 1 || (vectors && p["vector_width"] <= p["work_group"]);
  });
  space.constrain("layout=aos requires medium=arrays: a cell holds its coefficients", [](const Point& p) {
    return !is_square(p) || p.config.string("layout") == "soa" || p.config.string("medium") == "arrays";
  });
  space.constrain("unroll must be at most granularity, the iterations of the loop over rows",
                  [](const Point& p) { return streams(p) || p["unroll"] <= p["granularity"]; });
  add_strip_constraints(space);
}

// What a point requires of a device.
void add_requirements(Space& space) {
  space.group_items([](const Point& p) {
    const std::int64_t edge = p["work_group"];
    return static_cast<std::uint64_t>(is_square(p) ? edge * edge / p["granularity"] / p["vector_width"]
                                                   : edge);
  });
  space.local_bytes([](const Point& p) -> std::uint64_t {
    const std::int64_t group = p["work_group"];
    if (p.variant() == "tiled")
      return static_cast<std::uint64_t>((group + 1) * (2 * group + 1)) * sizeof(float);
    if (streams(p) && group > 1 && !lanes_of(p.config, p.device).shuffle())
      return static_cast<std::uint64_t>(3 * 2 * p["depth"] * (group + 1)) * sizeof(float);
    return 0;
  });
}

void add_defaults(Space& space) {
  space.default_setting("fused",
                        {{"work_group", 64}, {"granularity", 16}, {"vector_width", 16}, {"padding", 1}});
  space.default_setting(
      "fused",
      {{"work_group", 64}, {"granularity", 16}, {"vector_width", 4}, {"unroll", 4}, {"medium", "index"}},
      is_gpu);
  // Two cores with 1 MiB of second-level cache each, 3000 x 3000: 41 ms instead of 51 by six steps of strips
  // of 256 columns.
  space.default_setting("streaming", {{"work_group", 1},
                                      {"granularity", 128},
                                      {"vector_width", 16},
                                      {"padding", 1},
                                      {"depth", 8},
                                      {"strip", 512}});
  // Two cores with AVX-512, 1025 x 1025: 5.2 ms instead of 6.1; from 2048 x 2048 on it is the same.
  space.default_setting("streaming", {{"medium", "index"}},
                        [](const Capabilities& device) { return is_cpu_of_lanes(device, 16); });
  space.default_setting("streaming",
                        {{"work_group", 32},
                         {"granularity", 128},
                         {"vector_width", 2},
                         {"unroll", 4},
                         {"padding", 1},
                         {"medium", "index"},
                         {"depth", 6},
                         {"strip", 256}},
                        is_gpu);
  // Lanes shuffle within a wave of 64.
  space.default_setting("streaming", {{"work_group", 64}, {"depth", 4}, {"prefetch", 2}}, has_waves);
  space.default_setting("streaming", {{"work_group", 64}, {"unroll", 1}, {"depth", 3}, {"prefetch", 2}},
                        has_few_registers);
}

}  // namespace

Space make_space() {
  Space space;
  space
      .axis(
          {"variant",
           "two_kernels: H, then E, through global memory; tiled: the same through tiles in local memory; "
           "fused: a step in one launch; streaming: several steps in one launch, in strips of columns row by "
           "row, in registers or private memory",
           {"two_kernels", "tiled", "fused", "streaming"},
           "two_kernels"})
      .axis({"work_group",
             "two_kernels, tiled: edge of a group's square; fused, streaming: work-items of a group, along a "
             "row",
             {1, 8, 16, 32, 64, 128, 256},
             16})
      .axis({"granularity",
             "rows of a work-item; streaming: rows that a group stores",
             {1, 2, 4, 8, 16, 32, 64, 128, 256, 512},
             1})
      .axis({"vector_width", "neighbouring columns computed at once", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll",
             "of the loop over rows; streaming with one work-item: of the loop over vectors of a row",
             {1, 2, 4},
             1})
      .axis({"padding", "0: rows are contiguous; 1: rows are aligned and have margins", {0, 1}, 0})
      .axis({"layout",
             "aos: a structure for each cell, of fields and coefficients; soa: an array for each",
             {"aos", "soa"},
             "aos",
             {"two_kernels", "tiled"}})
      .axis({"medium",
             "arrays: two coefficients for each cell; index: a byte for each cell, into a table in constant "
             "memory",
             {"arrays", "index"},
             "arrays"})
      .axis({"depth", "the most steps per launch", {1, 2, 3, 4, 6, 8}, 4, {"streaming"}});
  add_strip_axes(space);
  space.axis(submission_axis());
  add_defaults(space);
  add_constraints(space);
  add_requirements(space);
  return space;
}

int max_steps_per_launch(const Config& config) {
  return config.string("variant") == "streaming" ? static_cast<int>(config.integer("depth")) : 1;
}

Geometry geometry_of(const Config& config, int steps, const Lanes& lanes) {
  if (config.string("variant") == "streaming") return strips_of(config, steps, lanes);
  const std::int64_t group = config.integer("work_group");
  Geometry geometry;
  geometry.stored = config.string("variant") == "fused" ? group * config.integer("vector_width") : group;
  geometry.strip_items = group;
  return geometry;
}

LaunchRange range_of(const Geometry& geometry, const Config& config, const Grid& grid) {
  const auto axis = [&](const char* name) { return static_cast<std::size_t>(config.integer(name)); };
  const std::size_t group = axis("work_group");
  const std::size_t columns = ceil_div(grid.ny, static_cast<std::size_t>(geometry.stored));
  const std::string& variant = config.string("variant");
  if (variant == "fused" || variant == "streaming") {
    const std::size_t items = variant == "fused" ? group : static_cast<std::size_t>(geometry.strip_items);
    return {Range(round_up(columns * items, group), ceil_div(grid.nx, axis("granularity"))), Range(group, 1)};
  }
  const Range local(group / axis("vector_width"), group / axis("granularity"));
  return {Range(columns * local.sizes[0], ceil_div(grid.nx, group) * local.sizes[1]), local};
}

// The highest strips of which every compute unit still gets enough. On an H100, of 4096 x 4096, strips of 16
// rows were the best (350 G cell steps/s): their groups are then twice as many as can be resident.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  constexpr std::size_t enough_items = 4096;  // of a unit of a GPU
  constexpr std::size_t enough_groups = 16;   // of a core: the last ones then end at about the same time
  static const Space space = make_space();
  const Grid grid = grid_of(problem);
  ValueMap choice{{"variant", "streaming"}};
  for (const int rows : {128, 64, 32, 16}) {
    choice = choice.with("granularity", rows);
    const Config config = space.set(space.baseline(), choice, device);
    const Geometry geometry = geometry_of(config, max_steps_per_launch(config), lanes_of(config, device));
    const LaunchRange range = range_of(geometry, config, grid);
    const std::size_t items = range.global.items() / (device.is_gpu ? 1 : range.local.items());
    if (items >= device.compute_units * (device.is_gpu ? enough_items : enough_groups)) break;
  }
  return choice;
}

}  // namespace dwarfsweep::fdtd

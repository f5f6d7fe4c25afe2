#include "dwarfs/lud/lud.hpp"

#include "harness/device/kinds.hpp"

namespace dwarfsweep::lud {
namespace {

bool is_tiled(const Point& point) {
  return point.variant() == "tiled";
}

bool is_blocked(const Point& point) {
  return point.variant() == "blocked";
}

void add_axes(Space& space) {
  const std::vector<std::string> tiled = {"tiled"};
  const std::vector<std::string> blocked = {"blocked"};
  const std::vector<std::string> in_registers = {"blocked", "dataflow"};
  const std::vector<std::string> not_dataflow = {"tiled", "blocked"};
  space
      .axis({"variant",
             "tiled: diagonal, perimeter and internal tiles in local memory, three launches per step; "
             "blocked: wide packed panels, register tiles, the next diagonal block factored with the update, "
             "two launches; dataflow: one launch, each group keeps a tile in registers and waits for the "
             "tiles it needs",
             {"tiled", "blocked", "dataflow"},
             "tiled"})
      .axis({"work_group",
             "tiled: edge of a tile; blocked: edge of the square of work-items",
             {1, 2, 4, 8, 16, 32, 64},
             16,
             not_dataflow})
      .axis(
          {"granularity",
           "tiled: results per work-item in the kernel that `direction` names; blocked: tiles per work-item",
           {1, 2, 4, 8, 16},
           1,
           not_dataflow})
      .axis({"vector_width",
             "neighbouring results, or with layout=transposed terms of the internal inner product",
             {1, 2, 4, 8, 16},
             1,
             not_dataflow})
      .axis({"unroll",
             "factor of the inner loops; in tiled from 2 on the perimeter's outer loop is unrolled fully as "
             "well",
             {1, 2, 4, 8, 16},
             1})
      .axis({"padding", "unused columns of the tiles in local memory", {0, 1}, 0, tiled})
      .axis({"direction",
             "which kernel is coarsened: the perimeter, or the internal kernel in x or in y",
             {"perimeter", "internal_x", "internal_y"},
             "perimeter",
             tiled})
      .axis(
          {"layout",
           "transposed: the inner product's tiles are turned while they are loaded, by reads with a stride; "
           "transposed_stores: by stores with a stride",
           {"direct", "transposed", "transposed_stores"},
           "direct",
           tiled,
           {"transposed_stores"}})
      .axis({"accumulate",
             "where the perimeter's results are while they are computed; local: in place, as in the thesis",
             {"register", "local"},
             "register",
             tiled})
      .axis({"unrolled_loops",
             "which of the perimeter's inner loops unroll applies to; even: those of an even number of "
             "terms, as in "
             "the thesis's first two cases",
             {"all", "even"},
             "all",
             tiled,
             {"even"}})
      .axis({"memory", "where the update reads the packed panels", {"local", "global"}, "local", blocked})
      .axis({"panel", "columns per step; dataflow: edge of a tile", {32, 64, 128, 256}, 64, in_registers})
      .axis({"tile_x", "columns that a work-item updates at once", {4, 8, 16, 32, 64}, 4, in_registers})
      .axis({"tile_y", "rows that a work-item updates at once", {4, 8, 16}, 4, in_registers})
      .axis(submission_axis());
}

void constrain_tiled(Space& space) {
  space.constrain("variant=tiled requires work_group of at least 8, the edge of a tile",
                  [](const Point& p) { return !is_tiled(p) || p["work_group"] >= 8; });
  space.constrain(
      "granularity=1 requires direction=perimeter: there is nothing to coarsen",
      [](const Point& p) { return p["granularity"] > 1 || p.config.string("direction") == "perimeter"; });
  space.constrain("vector_width must be at most work_group, the edge of a tile",
                  [](const Point& p) { return !is_tiled(p) || p["vector_width"] <= p["work_group"]; });
  space.constrain(
      "granularity, and with direction=internal_x granularity times vector_width, must be at most work_group",
      [](const Point& p) {
        const TiledShape shape(p.config);
        const auto most = std::max({shape.neighbours(), shape.coarse_x(), shape.coarse_y()});
        return !is_tiled(p) || most <= shape.tile;
      });
}

void constrain_blocked(Space& space) {
  space.constrain("variant=blocked requires work_group of at most 32, the edge of the square of work-items",
                  [](const Point& p) { return !is_blocked(p) || p["work_group"] <= 32; });
  space.constrain("vector_width must be at most tile_x, the columns of a work-item's tile",
                  [](const Point& p) { return !is_blocked(p) || p["vector_width"] <= p["tile_x"]; });
  space.constrain("the columns of a group, work_group times tile_x, must divide panel", [](const Point& p) {
    const BlockedShape shape(p.config);
    return !is_blocked(p) || shape.panel % shape.group_x() == 0;
  });
  space.constrain("the rows of a group, work_group times tile_y times granularity, must divide panel",
                  [](const Point& p) {
                    const BlockedShape shape(p.config);
                    return !is_blocked(p) || shape.panel % (shape.group_y() * shape.granularity) == 0;
                  });
}

void constrain_dataflow(Space& space) {
  space.constrain(
      "variant=dataflow requires tile_x times tile_y of at most 128, or registers do not suffice",
      [](const Point& p) { return p.variant() != "dataflow" || p["tile_x"] * p["tile_y"] <= 128; });
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  // Wide vectors, one work-item per group and packed panels read in place: what a CPU wants.
  space.default_setting("blocked", {{"work_group", 1},
                                    {"granularity", 8},
                                    {"vector_width", 16},
                                    {"unroll", 1},
                                    {"memory", "global"},
                                    {"panel", 128},
                                    {"tile_x", 32},
                                    {"tile_y", 8}});
  // The same by groups, which stage the panels: what a GPU wants.
  space.default_setting("blocked",
                        {{"work_group", 16},
                         {"granularity", 1},
                         {"vector_width", 4},
                         {"unroll", 4},
                         {"memory", "local"},
                         {"panel", 64},
                         {"tile_x", 4},
                         {"tile_y", 4}},
                        is_gpu);
  space.default_setting("blocked", {{"memory", "global"}}, lacks_local_memory);
  space.default_setting("dataflow", {{"unroll", 4}, {"panel", 64}, {"tile_x", 4}, {"tile_y", 8}});
  space.default_setting("dataflow", {{"unroll", 16}}, is_gpu);
  // Unrolled by 16, LLVM's schedule for gfx90a takes 512 registers and spills 257 more; by 8 it takes 158.
  space.default_setting("dataflow", {{"unroll", 4}}, has_waves);
  // Fewer results for each, where the local memory has room for the deeper stages of twice as many
  // work-items.
  space.default_setting("dataflow", {{"tile_y", 4}}, [](const Capabilities& device) {
    return has_few_registers(device) && device.local_bytes >= 48 * 1024;
  });
  constrain_tiled(space);
  constrain_blocked(space);
  constrain_dataflow(space);
  space.group_items([](const Point& p) {
    const BlockedShape blocked(p.config);
    if (p.variant() == "dataflow") return static_cast<std::uint64_t>(DataflowShape(p.config).items());
    return static_cast<std::uint64_t>(is_tiled(p) ? TiledShape(p.config).largest_group()
                                                  : std::max(blocked.items(), blocked.solve_items()));
  });
  space.local_bytes([](const Point& p) {
    if (p.variant() == "dataflow") return DataflowShape(p.config).local_bytes();
    if (is_blocked(p)) return BlockedShape(p.config).local_bytes(p.device);
    return static_cast<std::uint64_t>(3 * p["work_group"] * (p["work_group"] + p["padding"])) * sizeof(float);
  });
  return space;
}

}  // namespace dwarfsweep::lud

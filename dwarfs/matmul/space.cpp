#include "dwarfs/matmul/matmul.hpp"

#include "harness/device/kinds.hpp"

namespace dwarfsweep::matmul {
namespace {

bool is_tiled(const Point& point) {
  return point.variant() == "tiled";
}

bool is_blocked(const Point& point) {
  return point.variant() == "blocked";
}

bool is_thin(const Point& point) {
  return point.variant() == "thin";
}

void add_axes_of_the_papers(Space& space) {
  space
      .axis(
          {"variant",
           "untiled: a work-item per result, operands from global memory; tiled: tiles of A and B in local "
           "memory; blocked: register tiles, packed operands, stages in local memory or none; thin: few rows "
           "or few columns, read in place",
           {"untiled", "tiled", "blocked", "thin"},
           "untiled"})
      .axis(
          {"work_group", "edge of the square of work-items; tiled: and of the tiles", {1, 4, 8, 12, 16}, 16})
      .axis({"granularity",
             "tiled: results of a work-item, in a row; blocked: tiles of a group, below each other",
             {1, 2, 4, 8, 16, 32},
             1,
             {"tiled", "blocked"}})
      .axis({"unroll",
             "of the loop over the terms of the product; tiled: the edge of the tile is full unrolling",
             {1, 2, 4, 8, 12, 16},
             1})
      .axis({"buffering",
             "prefetch: what comes next is loaded into registers before this is computed; double: the same, "
             "with two stages in local memory",
             {"none", "prefetch", "double"},
             "none",
             {"tiled", "blocked"}})
      .axis(
          {"spill",
           "1: while it computes, a work-item keeps where it is in A and B in local memory, not in registers",
           {0, 1},
           0,
           {"tiled"}});
}

void add_axes_of_blocked(Space& space) {
  const std::vector<std::string> blocked = {"blocked"};
  const std::vector<std::string> both = {"blocked", "thin"};
  space
      .axis({"vector_width",
             "neighbouring columns in a vector; thin: and terms, which it loads at a time",
             {1, 2, 4, 8, 16},
             1,
             both})
      .axis({"padding",
             "memory=local, A not packed: unused elements behind each line of its stages",
             {0, 4},
             0,
             blocked})
      .axis({"memory", "where results are computed from", {"local", "global"}, "local", blocked})
      .axis({"packing", "which operands are packed before", {"none", "a", "b", "both"}, "both", blocked})
      .axis({"tile_x", "columns of a work-item's tile", {1, 2, 4, 8, 16, 32, 64}, 4, both})
      .axis({"tile_y", "rows of a work-item's tile", {1, 2, 4, 6, 8, 12, 14, 16}, 4, both})
      .axis({"tile_k",
             "terms of a stage; memory=global: those for which a group goes down its tiles",
             {8, 16, 32, 64, 128, 256, 512},
             16,
             blocked})
      .axis({"lanes",
             "columns of blocks of 32 work-items in the square of a group; 0: whole rows",
             {0, 4, 8},
             0,
             blocked})
      .axis({"band",
             "stacks of tiles that groups go down before they move to the next column",
             {1, 2, 4, 8, 16},
             1,
             blocked})
      .axis({"splits",
             "groups that share the terms of a result (0: chosen for device and problem)",
             {0, 1, 2, 4, 8, 16},
             0,
             both})
      .axis({"resident",
             "groups of a compute unit, if they all divide the terms of all tiles evenly (0: groups have "
             "tiles, "
             "whole or split)",
             {0, 1, 2, 4},
             0,
             blocked})
      .axis({"finish",
             "who adds the shares: a launch of its own, or the last of the groups with the same results",
             {"launch", "group"},
             "launch",
             {"thin"}});
}

void constrain_tiled(Space& space) {
  space.constrain("work_group=1 requires variant=blocked",
                  [](const Point& p) { return is_blocked(p) || p["work_group"] > 1; });
  space.constrain("unroll must divide work_group, the edge of a tile",
                  [](const Point& p) { return !is_tiled(p) || p["work_group"] % p["unroll"] == 0; });
  space.constrain("variant=tiled requires granularity of at most 4",
                  [](const Point& p) { return !is_tiled(p) || p["granularity"] <= 4; });
  space.constrain("buffering=double requires variant=blocked: the papers' tiles have one buffer",
                  [](const Point& p) { return !is_tiled(p) || p.config.string("buffering") != "double"; });
}

void constrain_blocked(Space& space) {
  const auto constrain = [&](const std::string& reason, bool (*allows)(const Point&, const BlockedShape&)) {
    space.constrain(reason,
                    [allows](const Point& p) { return !is_blocked(p) || allows(p, BlockedShape(p.config)); });
  };
  constrain("variant=blocked requires work_group=1, work_group=8 or work_group=16",
            [](const Point&, const BlockedShape& s) { return s.edge == 1 || s.edge == 8 || s.edge == 16; });
  constrain("vector_width must be at most tile_x, the columns of a work-item's tile",
            [](const Point&, const BlockedShape& s) { return s.vector_width <= s.tile_x; });
  constrain(
      "tile_x times tile_y must be at most 128, or 512 with work_group=1, or results do not stay in "
      "registers",
      [](const Point&, const BlockedShape& s) { return s.tile_x * s.tile_y <= (s.alone() ? 512 : 128); });
  constrain("work_group=1 requires memory=global: a work-item alone shares nothing",
            [](const Point&, const BlockedShape& s) { return !(s.staged && s.alone()); });
  constrain("buffering=prefetch and buffering=double require memory=local: only stages are buffered",
            [](const Point& p, const BlockedShape& s) {
              return s.staged || p.config.string("buffering") == "none";
            });
  constrain(
      "memory=local requires tile_k of at most 64 and tile_y of a multiple of 4",
      [](const Point&, const BlockedShape& s) { return !s.staged || (s.tile_k <= 64 && s.tile_y % 4 == 0); });
  constrain("memory=local requires vector_width of at most tile_k, unless packing=a or packing=both",
            [](const Point&, const BlockedShape& s) { return !s.turns_a() || s.vector_width <= s.tile_k; });
  constrain("padding above 0 requires memory=local, and packing=none or packing=b",
            [](const Point&, const BlockedShape& s) { return s.padding == 0 || s.turns_a(); });
  constrain("resident above 0 requires memory=local, granularity=1 and splits=0",
            [](const Point& p, const BlockedShape& s) {
              return s.resident == 0 || (s.staged && s.granularity == 1 && p["splits"] == 0);
            });
  constrain(
      "resident above 0 requires a device whose work-groups can order their writes: ordered atomics or "
      "inline PTX",
      [](const Point& p, const BlockedShape& s) { return s.resident == 0 || p.device.orders_groups(); });
  constrain("work_group=1 requires lanes=0: a work-item alone is in no block",
            [](const Point& p, const BlockedShape& s) { return !s.alone() || p["lanes"] == 0; });
}

void constrain_thin(Space& space) {
  space.constrain("variant=thin requires work_group=8 or work_group=16", [](const Point& p) {
    return !is_thin(p) || p["work_group"] == 8 || p["work_group"] == 16;
  });
  space.constrain("variant=thin requires vector_width of at most 4",
                  [](const Point& p) { return !is_thin(p) || p["vector_width"] <= 4; });
  space.constrain(
      "variant=thin requires tile_x times tile_y of at most 64, or results do not stay in registers",
      [](const Point& p) { return !is_thin(p) || p["tile_x"] * p["tile_y"] <= 64; });
  space.constrain(
      "finish=group requires a device whose work-groups can order their writes: ordered atomics or inline "
      "PTX",
      [](const Point& p) { return p.config.string("finish") != "group" || p.device.orders_groups(); });
  space.constrain("tile_x and tile_y below 4 require variant=thin",
                  [](const Point& p) { return is_thin(p) || std::min(p["tile_x"], p["tile_y"]) >= 4; });
}

void add_defaults(Space& space) {
  space.default_setting("tiled", {{"unroll", 16}});
  space.default_setting("thin", {{"vector_width", 4}, {"unroll", 4}});
  // A work-item alone with a tile in vector registers: what a CPU wants. Of 16 registers the sums take 12 and
  // a row of B 2, of 32 of them 24 and 4; one is left for elements of A, which are read in place: packed,
  // they took 5 % longer.
  space.default_setting("blocked", {{"work_group", 1},
                                    {"granularity", 16},
                                    {"vector_width", 4},
                                    {"unroll", 4},
                                    {"memory", "global"},
                                    {"packing", "b"},
                                    {"tile_x", 8},
                                    {"tile_y", 6},
                                    {"tile_k", 256}});
  space.default_setting("blocked", {{"vector_width", 8}, {"tile_x", 16}},
                        [](const Capabilities& device) { return is_cpu_of_lanes(device, 8); });
  // Wide tiles read A seldom enough for groups to go down first, each with the same part of B.
  space.default_setting("blocked", {{"vector_width", 16}, {"tile_x", 64}, {"band", 16}},
                        [](const Capabilities& device) { return is_cpu_of_lanes(device, 16); });
  // Groups that stage 128 x 128 results: what a GPU wants.
  space.default_setting("blocked",
                        {{"work_group", 16},
                         {"granularity", 1},
                         {"vector_width", 4},
                         {"unroll", 16},
                         {"buffering", "double"},
                         {"memory", "local"},
                         {"packing", "a"},
                         {"tile_x", 8},
                         {"tile_y", 8},
                         {"tile_k", 16},
                         {"lanes", 8},
                         {"band", 8}},
                        is_gpu);
  // Where a work-item has 256 registers for itself, twice as many results: 1.38 times as fast on an H200.
  space.default_setting("blocked",
                        {{"unroll", 8},
                         {"buffering", "prefetch"},
                         {"packing", "both"},
                         {"tile_x", 16},
                         {"tile_k", 8},
                         {"lanes", 4},
                         {"band", 4}},
                        [](const Capabilities& device) {
                          return device.is_gpu && !has_few_registers(device) && !has_waves(device);
                        });
  space.default_setting("blocked", {{"tile_x", 4}, {"tile_y", 8}, {"unroll", 4}}, has_few_registers);
  space.default_setting("blocked", {{"unroll", 4}}, has_waves);
  space.default_setting("blocked",
                        {{"work_group", 8},
                         {"memory", "global"},
                         {"packing", "both"},
                         {"buffering", "none"},
                         {"tile_x", 4},
                         {"tile_y", 4},
                         {"tile_k", 512},
                         {"unroll", 4}},
                        lacks_local_memory);
}

std::uint64_t local_bytes(const Point& p) {
  if (is_blocked(p)) return BlockedShape(p.config).local_bytes();
  // Half the work-items give the others their sums; and whether a group is the last.
  if (is_thin(p))
    return 2 * static_cast<std::uint64_t>(p["work_group"] * p["work_group"] * p["tile_x"] * p["tile_y"] + 2);
  if (!is_tiled(p)) return 0;
  const auto tile = static_cast<std::uint64_t>(p["work_group"] * p["work_group"]);
  const auto results = static_cast<std::uint64_t>(p["granularity"]);
  return tile * ((1 + results) * sizeof(float) + (p["spill"] != 0 ? 2 * sizeof(std::uint64_t) : 0));
}

}  // namespace

Space make_space() {
  Space space;
  add_axes_of_the_papers(space);
  add_axes_of_blocked(space);
  constrain_tiled(space);
  constrain_blocked(space);
  constrain_thin(space);
  add_defaults(space);
  space.group_items([](const Point& p) {
    const std::int64_t items = p["work_group"] * p["work_group"];
    const bool packs = is_blocked(p) && items > 1 && p.config.string("packing") != "none";
    return static_cast<std::uint64_t>(packs ? std::max(items, pack_edge * pack_edge) : items);
  });
  space.local_bytes(local_bytes);
  return space;
}

}  // namespace dwarfsweep::matmul

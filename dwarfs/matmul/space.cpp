#include "dwarfs/matmul/space.hpp"

namespace dwarfsweep::matmul {
namespace {

bool is_tiled(const Point& point) {
  return point.variant() == "tiled";
}

void add_axes(Space& space) {
  const std::vector<std::string> tiled = {"tiled"};
  space
      .axis({"variant",
             "untiled: a work-item per result, operands from global memory; tiled: tiles of A and B in local "
             "memory",
             {"untiled", "tiled"},
             "untiled"})
      .axis({"work_group", "edge of the square of work-items; tiled: and of the tiles", {4, 8, 12, 16}, 16})
      .axis({"granularity", "results of a work-item, side by side in a row", {1, 2, 4}, 1, tiled})
      .axis({"unroll",
             "of the loop over the terms of the product; tiled: the edge of the tile is full unrolling",
             {1, 2, 4, 8, 12, 16},
             1})
      .axis({"buffering",
             "prefetch: the elements of the next tile are loaded into registers before this one is computed",
             {"none", "prefetch"},
             "none",
             tiled})
      .axis(
          {"spill",
           "1: while it computes, a work-item keeps where it is in A and B in local memory, not in registers",
           {0, 1},
           0,
           tiled});
}

void constrain_tiled(Space& space) {
  space.constrain("the unrolling must divide the edge of the tile",
                  [](const Point& p) { return !is_tiled(p) || p["work_group"] % p["unroll"] == 0; });
}

std::uint64_t local_bytes(const Point& p) {
  if (!is_tiled(p)) return 0;
  const auto tile = static_cast<std::uint64_t>(p["work_group"] * p["work_group"]);
  const auto results = static_cast<std::uint64_t>(p["granularity"]);
  return tile * ((1 + results) * sizeof(float) + (p["spill"] != 0 ? 2 * sizeof(std::uint64_t) : 0));
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  constrain_tiled(space);
  space.default_setting("tiled", {{"work_group", 16}, {"unroll", 16}});
  space.group_items(
      [](const Point& p) { return static_cast<std::uint64_t>(p["work_group"] * p["work_group"]); });
  space.local_bytes(local_bytes);
  return space;
}

}  // namespace dwarfsweep::matmul

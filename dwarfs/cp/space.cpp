#include "dwarfs/cp/cp.hpp"

namespace dwarfsweep::cp {
namespace {

void add_axes(Space& space) {
  const std::vector<std::string> tiled = {"tiled"};
  space
      .axis({"variant",
             "direct: points of a row, each distance by itself; tiled: rows and columns of points share what "
             "they have in common",
             {"direct", "tiled"},
             "direct"})
      .axis({"work_group", "work-items, up to 16 of them in a row", {1, 16, 32, 64, 128, 256, 512}, 128})
      .axis({"granularity", "vectors of points per work-item and row", {1, 2, 4, 8}, 1})
      .axis({"vector_width", "neighbouring points in a vector", {1, 2, 4, 8, 16}, 1, tiled})
      .axis({"unroll", "of the loop over the atoms", {1, 2, 4, 8}, 1})
      .axis({"padding", "1: the grid is padded to whole groups, and no end is tested for", {0, 1}, 0})
      .axis({"output",
             "coalesced: work-items side by side have points side by side; neighbours: one work-item has",
             {"coalesced", "neighbours"},
             "coalesced"})
      .axis({"functions",
             "the reciprocal square root: precise; native; newton: integers and multiply-adds; mixed: every "
             "fourth by newton, the others native",
             {"precise", "native", "newton", "mixed"},
             "precise"})
      .axis({"rows", "rows of points per work-item", {1, 2, 4, 8}, 1, tiled})
      .axis({"memory", "where the atoms are", {"constant", "global"}, "constant", tiled})
      .axis(
          {"data_memory", "where the atoms are", {"constant", "global"}, "constant", {"direct"}, {"global"}});
}

// The approximate number of values that a work-item computes with at a time.
std::int64_t sums_of(const Point& p) {
  return p["granularity"] * p["vector_width"] * p["rows"];
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  space.constrain(
      "functions=mixed requires granularity times rows of at least 4: every fourth vector is computed "
      "otherwise",
      [](const Point& p) {
        return p.config.string("functions") != "mixed" || p["granularity"] * p["rows"] >= 4;
      });
  space.constrain(
      "granularity times vector_width times rows must be at most 64, or 256 with work_group=1, or registers "
      "do not suffice",
      [](const Point& p) { return sums_of(p) <= (p["work_group"] == 1 ? 256 : 64); });
  // A work-item alone, with the widest vectors: what a CPU wants.
  space.default_setting(
      "tiled",
      {{"work_group", 1}, {"granularity", 2}, {"vector_width", 16}, {"rows", 4}, {"functions", "newton"}});
  space.default_setting("tiled",
                        {{"work_group", 128},
                         {"granularity", 4},
                         {"vector_width", 1},
                         {"rows", 4},
                         {"unroll", 2},
                         {"functions", "mixed"}},
                        is_gpu);
  return space;
}

}  // namespace dwarfsweep::cp

#include "dwarfs/bfs/bfs.hpp"

#include <algorithm>

#include "dwarfs/bfs/geometry.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::bfs {
namespace {

// Axes of every variant, and of topology.
void add_axes(Space& space) {
  space
      .axis({"variant",
             "topology: per level, every node is visited, and those in the frontier mark their neighbours; "
             "queue: the frontier is an array of edge chunks, and neighbours are claimed by atomics; "
             "direction_optimising: as queue, but a wide frontier is pulled, each unreached node looks for a "
             "reached neighbour",
             {"topology", "queue", "direction_optimising"},
             "topology"})
      .axis({"work_group", "work-items of a group", {1, 128, 256, 512, 1024}, 256})
      .axis({"granularity",
             "nodes per work-item (direction_optimising: of pulling)",
             {1, 2, 4, 8, 16, 32, 512},
             1,
             {"topology", "direction_optimising"}})
      .axis({"vector_width", "neighbours per load", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "loads per iteration of the loop over a list", {1, 2, 4, 8}, 1})
      .axis({"padding", "lists padded to a multiple of this with their own node", {0, 2, 4, 8, 16}, 0})
      .axis({"coarsening",
             "whether granularity leaves fewer groups, or groups smaller by that factor",
             {"fewer_groups", "smaller_groups"},
             "fewer_groups",
             {"topology"}})
      .axis({"offset_bits", "width of a position in the array of neighbours", {32, 64}, 32});
}

void add_frontier_axes(Space& space) {
  space
      .axis({"team",
             "work-items that share an edge chunk, a section of a list",
             {1, 4, 8, 32},
             1,
             {"queue", "direction_optimising"}})
      .axis({"batch",
             "levels between two reads of the frontier by the host",
             {1, 4, 8, 16},
             1,
             {"queue", "direction_optimising"}})
      .axis({"sync",
             "launches: a level is a few launches; barrier: one launch, whose groups wait for each other "
             "after each level; auto: barrier on GPUs, and on CPUs where claims are merged, if groups may "
             "wait there, else launches",
             {"auto", "launches", "barrier"},
             "launches",
             {"direction_optimising"}})
      .axis({"claims",
             "atomic: pushing claims nodes in one bitmap by atomics; merged: each group notes them in a "
             "bitmap of its own; "
             "auto: merged for groups of one work-item on a CPU, else atomic",
             {"auto", "atomic", "merged"},
             "auto",
             {"direction_optimising"}})
      .axis(submission_axis());
}

void add_defaults(Space& space) {
  space.default_setting("queue", {{"vector_width", 8}, {"padding", 8}, {"batch", 8}})
      .default_setting("queue", {{"vector_width", 1}, {"unroll", 4}, {"team", 4}, {"batch", 16}}, is_gpu)
      .default_setting("direction_optimising", {{"work_group", 1},
                                                {"granularity", 512},
                                                {"vector_width", 4},
                                                {"padding", 4},
                                                {"batch", 8},
                                                {"sync", "auto"}})
      .default_setting("direction_optimising",
                       {{"work_group", 256},
                        {"granularity", 8},
                        {"vector_width", 1},
                        {"unroll", 2},
                        {"padding", 8},
                        {"team", 8},
                        {"sync", "auto"}},
                       is_gpu);
}

void add_constraints(Space& space) {
  space
      .constrain(
          "variant=direction_optimising requires granularity of at least 8: a work-item writes whole bytes "
          "of the bitmap",
          [](const Point& p) { return p.variant() != "direction_optimising" || p["granularity"] >= 8; })
      .constrain("granularity=512 requires variant=direction_optimising and work_group=1",
                 [](const Point& p) {
                   return p["granularity"] <= 32 ||
                          (p.variant() == "direction_optimising" && p["work_group"] == 1);
                 })
      .constrain("claims=merged requires work_group=1",
                 [](const Point& p) { return p.config.string("claims") != "merged" || p["work_group"] == 1; })
      .constrain("coarsening=smaller_groups requires granularity above 1",
                 [](const Point& p) {
                   return p.config.string("coarsening") == "fewer_groups" || p["granularity"] > 1;
                 })
      .constrain("work_group must be at least team, and with coarsening=smaller_groups at least granularity",
                 [](const Point& p) {
                   const bool smaller = p.config.string("coarsening") == "smaller_groups";
                   return p["work_group"] >= std::max(p["team"], smaller ? p["granularity"] : 1);
                 })
      .local_bytes([](const Point& p) {
        // A group's counters, and what its work-items remember of a round (`Shared` in the kernel file).
        if (p.variant() == "topology") return std::uint64_t{0};
        return 64 +
               4 * static_cast<std::uint64_t>(share_of_chunk(p.config)) * max_group_items(p.config, p.device);
      })
      .group_items([](const Point& p) { return static_cast<std::uint64_t>(topology_items(p.config)); });
}

}  // namespace

const Space& space() {
  static const Space space = [] {
    Space made;
    add_axes(made);
    add_frontier_axes(made);
    add_defaults(made);
    add_constraints(made);
    return made;
  }();
  return space;
}

}  // namespace dwarfsweep::bfs

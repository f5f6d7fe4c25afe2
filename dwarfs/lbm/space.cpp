#include <algorithm>

#include "dwarfs/lbm/lbm.hpp"
#include "harness/device/kinds.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::lbm {
namespace {

void add_axes(Space& space) {
  const std::vector<std::string> direct = {"two_arrays", "in_place"};
  space
      .axis({"variant",
             "staged: cells pass through local memory; two_arrays: from one array to the other; in_place: in "
             "one "
             "array, with half of the memory",
             {"staged", "two_arrays", "in_place"},
             "staged"})
      .axis({"work_group", "work-items along x", {1, 32, 64, 100, 128, 256, 512}, 128})
      .axis({"rows", "work-items along y", {1, 2, 4, 8}, 1, direct})
      .axis({"granularity", "vectors of cells per work-item", {1, 2, 4, 8, 16}, 1, direct})
      .axis({"vector_width", "neighbouring cells in a vector", {1, 2, 4, 8, 16}, 1, direct})
      .axis({"padding", "1: rows are padded to multiples of 32 cells", {0, 1}, 0})
      .axis({"layout",
             "aos: structures; soa: an array per direction; tiled, rows: structures of arrays of 32 cells, "
             "of a row",
             {"aos", "soa", "tiled", "rows"},
             "aos",
             direct})
      .axis({"direction",
             "push: results go to the neighbours; pull: inputs come from them",
             {"push", "pull"},
             "push",
             {"two_arrays"}})
      .axis({"flags",
             "what a cell is: in_cell: a twentieth float; bytes: an array of bytes; computed: from its place",
             {"in_cell", "bytes", "computed"},
             "in_cell"})
      .axis({"storage",
             "float: f; shifted: f less its weight, with smaller errors; half: that in 16 bits, with larger "
             "errors",
             {"float", "shifted", "half"},
             "float",
             direct})
      .axis({"stores",
             "streamed: past the caches, if the compiler has such stores",
             {"cached", "streamed"},
             "cached",
             {"two_arrays"}})
      .axis(submission_axis());
}

void constrain(Space& space) {
  space.constrain("vector_width above 1 requires layout=soa or layout=rows", [](const Point& p) {
    const std::string& layout = p.config.string("layout");
    return p["vector_width"] == 1 || layout == "soa" || layout == "rows";
  });
  space.constrain("stores=streamed requires direction=pull, whose stores are aligned", [](const Point& p) {
    return p.config.string("stores") != "streamed" || p.config.string("direction") == "pull";
  });
  space.constrain("stores=streamed requires padding=1, or vector_width=1", [](const Point& p) {
    return p.config.string("stores") != "streamed" || p["padding"] == 1 || p["vector_width"] == 1;
  });
  space.constrain("stores=streamed requires storage=float or storage=shifted", [](const Point& p) {
    return p.config.string("stores") != "streamed" || p.config.string("storage") != "half";
  });
  space.constrain("flags=in_cell requires storage=float or storage=shifted", [](const Point& p) {
    return p.config.string("flags") != "in_cell" || p.config.string("storage") != "half";
  });
  space.constrain("flags=computed requires a problem without a file of obstacles", [](const Point& p) {
    return p.config.string("flags") != "computed" || p.problem.size != "file";
  });
  space.constrain("(nx + 31) times ny times nz must be below 2^31: the number of a cell has 32 bits",
                  [](const Point& p) {
                    return (p.problem.real("nx") + 31) * p.problem.real("ny") * p.problem.real("nz") < 0x1p31;
                  });
}

void add_defaults(Space& space) {
  // A work-item alone, with vectors as wide as registers: what a CPU wants. In place they have at most 8
  // cells: most are not aligned, and those of 16 would then lie in two cache lines each. Streamed stores
  // spare it loading what they overwrite.
  for (const std::string variant : {"two_arrays", "in_place"}) {
    space.default_setting(variant, {{"work_group", 1},
                                    {"granularity", 16},
                                    {"vector_width", 4},
                                    {"padding", 1},
                                    {"layout", "soa"},
                                    {"flags", "bytes"}});
    for (const std::int64_t lanes : {8, 16})
      space.default_setting(variant, {{"vector_width", variant == "in_place" ? 8 : lanes}},
                            [lanes](const Capabilities& device) { return is_cpu_of_lanes(device, lanes); });
    space.default_setting(
        variant, {{"work_group", 128}, {"granularity", 1}, {"vector_width", 1}, {"padding", 0}}, is_gpu);
  }
  space.default_setting("two_arrays", {{"direction", "pull"}, {"stores", "streamed"}});
  space.default_setting("two_arrays", {{"stores", "cached"}}, is_gpu);
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  constrain(space);
  add_defaults(space);
  space.group_items([](const Point& p) { return static_cast<std::uint64_t>(p["work_group"] * p["rows"]); });
  space.local_bytes([](const Point& p) {
    if (p.variant() != "staged") return std::uint64_t{0};
    const std::int64_t fields = p.config.string("flags") == "in_cell" ? 20 : 19;
    return static_cast<std::uint64_t>(p["work_group"] * fields) * sizeof(float);
  });
  return space;
}

// A CPU is faster in place. On GPUs, the group size for which a row leaves the fewest work-items idle; if
// several do, the largest.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  if (!device.is_gpu) return {{"variant", "in_place"}};
  const std::int64_t nx = problem.integer("nx");
  std::int64_t best = 32;
  for (const std::int64_t group : {64, 128, 256}) {
    if (static_cast<std::uint64_t>(group) > device.work_group_items) break;
    if (round_up(nx, group) <= round_up(nx, best)) best = group;
  }
  return {{"variant", "two_arrays"}, {"work_group", best}};
}

}  // namespace dwarfsweep::lbm

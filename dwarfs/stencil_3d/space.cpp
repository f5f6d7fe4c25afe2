#include "dwarfs/stencil_3d/stencil_3d.hpp"

#include <algorithm>

#include "dwarfs/stencil_3d/input.hpp"
#include "harness/device/kinds.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::stencil_3d {

namespace {

bool streams(const Point& p) {
  return p.variant() == "streaming";
}

bool is_alone(const Point& p) {
  return streams(p) && p["work_group"] == 1;
}

const std::vector<std::string> with_loaders = {"halo_only_single", "halo_only_double", "halo_only_manual",
                                               "block_halo_single"};

void add_axes(Space& space) {
  space
      .axis({"variant",
             "reference: every work-item loads a part of the halo; halo_only_single, halo_only_double, "
             "halo_only_manual: other work-items do; block_halo_single: and the tile's own points; "
             "streaming: wide loads, a plane ahead",
             {"reference", "halo_only_single", "halo_only_double", "halo_only_manual", "block_halo_single",
              "streaming"},
             "reference"})
      .axis({"work_group", "work-items that compute, along x", {1, 8, 16, 32, 64, 128}, 16})
      .axis({"rows", "work-items that compute, along y", {1, 2, 4, 8, 16, 32}, 16})
      .axis({"granularity", "rows of a work-item", {1, 2, 4, 8, 16, 32}, 1})
      .axis({"vector_width",
             "elements of a load: of work-items that only load, or neighbours that one of streaming computes",
             {1, 2, 4, 8, 16},
             1})
      .axis({"unroll",
             "of the loop over planes; streaming: 9 keeps a column's values in place; with one work-item, of "
             "the loop over vectors of a row",
             {1, 2, 4, 9},
             1})
      .axis({"padding", "1: the first inner point of each row is aligned to 128 bytes", {0, 1}, 0})
      .axis({"depth", "planes that a group computes; 0: all", {0, 8, 16, 32, 64, 128, 256}, 0})
      .axis(
          {"loaders", "work-items that load the tile's own points", {32, 64, 128}, 64, {"block_halo_single"}})
      .axis({"barrier",
             "how work-items that only load meet the others: at a barrier of the group; named: at barriers "
             "of each "
             "buffer",
             {"group", "named"},
             "group",
             with_loaders,
             {"named"}})
      .axis({"prefetch",
             "1: work-items that only load read the next plane's part into registers before they wait",
             {0, 1},
             0,
             with_loaders,
             {1}})
      .axis({"memory",
             "where neighbours in x and y come from; global: through the caches",
             {"local", "global"},
             "local",
             {"streaming"}})
      .axis({"strip", "columns of a work-item that is alone", {128, 256, 512, 1024}, 512, {"streaming"}})
      .axis({"ring",
             "planes in local memory that copies fill ahead of the one computed with; 0: one plane ahead, "
             "through registers",
             {0, 2, 3, 4},
             0,
             {"streaming"}})
      .axis(submission_axis());
}

void constrain_geometry(Space& space) {
  space.constrain("work_group=1 requires variant=streaming",
                  [](const Point& p) { return streams(p) || p["work_group"] > 1; });
  space.constrain("work_group=1 requires rows=1: a work-item alone is alone in y as well",
                  [](const Point& p) { return !is_alone(p) || p["rows"] == 1; });
  space.constrain(
      "variant=reference requires rows of at least 4: the first four rows of work-items load the halo",
      [](const Point& p) { return p.variant() != "reference" || p["rows"] >= radius; });
  space.constrain("granularity above 4 requires variant=streaming and work_group=1",
                  [](const Point& p) { return is_alone(p) || p["granularity"] <= 4; });
  space.constrain(
      "granularity times vector_width must be at most 16 in groups, or the columns do not stay in registers",
      [](const Point& p) {
        return !streams(p) || is_alone(p) || p["granularity"] * p["vector_width"] <= 16;
      });
  space.constrain("ny times (nx + 96) must be below 2^31: offsets in a plane have 32 bits",
                  [](const Point& p) {
                    constexpr double max = 0x1p31 - 1;
                    return p.problem.real("ny") * (p.problem.real("nx") + 96) <= max;
                  });
}

void constrain_loads(Space& space) {
  space.constrain(
      "barrier=named requires a device whose compiler accepts PTX, and work_group times rows that is a "
      "multiple of 32",
      [](const Point& p) {
        return p.config.string("barrier") == "group" ||
               (p.device.inline_ptx && p["work_group"] * p["rows"] % 32 == 0);
      });
  space.constrain("prefetch=1 requires at most 64 values of a plane for each loader", [](const Point& p) {
    const std::int64_t tile = p["work_group"] * p["rows"] * p["granularity"];
    const std::int64_t block = p.variant() == "block_halo_single" ? ceil_div(tile, p["loaders"]) : 0;
    return p["prefetch"] == 0 || std::max(block, p["work_group"] / 8 + p["vector_width"]) <= 64;
  });
  space.constrain("variant=reference requires vector_width=1",
                  [](const Point& p) { return p.variant() != "reference" || p["vector_width"] == 1; });
  space.constrain("vector_width above 4 requires work_group=1: a side of the halo has four columns",
                  [](const Point& p) { return is_alone(p) || p["vector_width"] <= radius; });
  space.constrain(
      "variant=streaming in groups requires unroll=1 or unroll=9, the planes of a column; elsewhere unroll "
      "must be at most 4",
      [](const Point& p) {
        const bool groups = streams(p) && !is_alone(p);
        return groups ? p["unroll"] == 1 || p["unroll"] == 9 : p["unroll"] <= 4;
      });
  space.constrain("ring above 0 requires memory=local",
                  [](const Point& p) { return p["ring"] == 0 || p.config.string("memory") == "local"; });
  space.constrain(
      "ring above 0 requires padding=1 or vector_width=1: it is copied in aligned vectors",
      [](const Point& p) { return p["ring"] == 0 || p["padding"] == 1 || p["vector_width"] == 1; });
  space.constrain("work_group=1 requires memory=global: a work-item alone shares nothing",
                  [](const Point& p) { return !is_alone(p) || p.config.string("memory") == "global"; });
  space.constrain("strip other than 512 requires work_group=1",
                  [](const Point& p) { return is_alone(p) || p["strip"] == 512; });
}

void add_defaults(Space& space) {
  // The side of a row is four floats, and sixteen rows have as many vectors as a warp has lanes.
  for (const std::string& variant : with_loaders) {
    space.default_setting(variant, {{"vector_width", 4}});
    const bool has_many_loaders = variant == "halo_only_double" || variant == "block_halo_single";
    const int rows = has_many_loaders ? 4 : 8;
    space.default_setting(variant, {{"rows", rows}}, [](const Capabilities& device) {
      return device.work_group_items > 0 && device.work_group_items < 512;
    });
  }
  // A work-item alone, with the widest vectors: what a CPU wants.
  space.default_setting("streaming", {{"work_group", 1},
                                      {"rows", 1},
                                      {"granularity", 16},
                                      {"vector_width", 16},
                                      {"padding", 1},
                                      {"depth", 32},
                                      {"memory", "global"}});
  space.default_setting("streaming",
                        {{"work_group", 32},
                         {"rows", 8},
                         {"granularity", 2},
                         {"vector_width", 4},
                         {"unroll", 9},
                         {"depth", 64},
                         {"memory", "local"}},
                        is_gpu);
  // Two groups of 256 work-items with 128 registers each share a multiprocessor, with three planes each.
  space.default_setting("streaming", {{"unroll", 1}, {"depth", 128}, {"ring", 3}},
                        [](const Capabilities& device) { return device.async_copies; });
  space.default_setting("streaming", {{"work_group", 16}, {"granularity", 1}, {"vector_width", 2}},
                        has_few_registers);
  space.default_setting("streaming", {{"memory", "global"}}, lacks_local_memory);
}

}  // namespace

Groups::Groups(const Config& config) {
  const std::string& variant = config.string("variant");
  const std::int64_t cols = config.integer("work_group");
  const std::int64_t rows = config.integer("rows");
  const bool stream = variant == "streaming";
  const bool alone = stream && cols == 1;
  items = cols * rows;
  tile_y = rows * config.integer("granularity");
  tile_x = alone ? config.integer("strip") : stream ? cols * config.integer("vector_width") : cols;
  const std::int64_t planes = (tile_x + 2 * radius) * (tile_y + 2 * radius);
  std::int64_t floats = planes;
  if (variant == "halo_only_double" || variant == "halo_only_manual" || stream) floats = 2 * planes;
  if (stream && config.integer("ring") > 0) floats = config.integer("ring") * planes;
  if (variant == "block_halo_single") floats = planes + tile_x * tile_y;
  if (alone || (stream && config.string("memory") == "global")) floats = 0;
  local_bytes = sizeof(float) * static_cast<std::uint64_t>(floats);
  if (variant == "reference" || stream) return;
  constexpr std::int64_t warp = 32;
  const std::int64_t loaders = (2 + ceil_div(tile_y, 16)) * warp;
  items += variant == "halo_only_double" ? 2 * loaders : loaders;
  if (variant == "block_halo_single") items += config.integer("loaders");
}

Space make_space() {
  Space space;
  add_axes(space);
  constrain_geometry(space);
  constrain_loads(space);
  add_defaults(space);
  space.group_items([](const Point& p) { return static_cast<std::uint64_t>(Groups(p.config).items); });
  space.local_bytes([](const Point& p) { return Groups(p.config).local_bytes; });
  return space;
}

// stencil_3d where no point is known: streaming, on GPUs with as many planes for a group as leave every
// compute unit with work. A group reads eight planes more than it computes, so that deep ones read least.

namespace {

// On an H200 the 128 tiles of 512 x 512 take 293 us in groups of 256 planes, two for each unit, and 297 us in
// groups of 128; the eight of 128 x 128 take 13 us in groups of 8 and 67 us in groups of 128.
constexpr std::int64_t deepest = 256;
constexpr std::int64_t shallowest = 8;

}  // namespace

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  const ValueMap streaming = {{"variant", "streaming"}};
  if (!device.is_gpu) return streaming;
  static const Space space = make_space();
  const Groups groups(space.default_config("streaming", device));
  const Grid grid = grid_of(problem);
  const std::int64_t tiles =
      ceil_div(grid.nx - 2 * radius, groups.tile_x) * ceil_div(grid.ny - 2 * radius, groups.tile_y);
  // Three groups for two units: with fewer, the last wave is most of the time.
  const auto idle = [&](std::int64_t depth) {
    return 2 * tiles * ceil_div(grid.nz - 2 * radius, depth) < 3 * std::int64_t{device.compute_units};
  };
  std::int64_t depth = deepest;
  while (depth > shallowest && idle(depth)) depth /= 2;
  return streaming.with("depth", depth);
}

}  // namespace dwarfsweep::stencil_3d

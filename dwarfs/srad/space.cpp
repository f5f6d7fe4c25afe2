#include "dwarfs/srad/srad.hpp"

#include <algorithm>

#include "dwarfs/srad/input.hpp"
#include "harness/device/kinds.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::srad {

namespace {

bool is_fused(const Point& p) {
  return p.variant() == "fused" || p.variant() == "fused_rows";
}

}  // namespace

Space make_space() {
  Space space;
  space
      .axis(
          {"variant",
           "branches: tile and edge arrays; halo: tile with its halo; fused: a step in one kernel, column by "
           "column; fused_rows: the same row by row, for CPUs",
           {"branches", "halo", "fused", "fused_rows"},
           "branches"})
      .axis({"work_group",
             "branches, halo: edge of a tile; fused, fused_rows: the square of it is a group's work-items",
             {1, 8, 16, 32},
             16})
      .axis({"granularity", "rows per work-item", {1, 4, 16, 32, 64}, 1})
      .axis({"vector_width",
             "neighbouring columns computed at once",
             {1, 2, 4, 8, 16},
             1,
             {"halo", "fused", "fused_rows"}})
      .axis({"unroll",
             "of the loop over a work-item's rows; fused_rows: of the loop over vectors of a row",
             {1, 2, 4},
             1})
      .axis({"padding",
             "0: columns beyond the image are clamped; 1: rows are padded with their first and last pixel",
             {0, 1},
             0,
             {"halo", "fused", "fused_rows"}})
      .axis({"sync",
             "how steps are ordered: a launch each, flags within one launch, or (auto) flags on CPUs where "
             "work-groups may wait for each other",
             {"auto", "launches", "flags"},
             "auto",
             {"fused_rows"}})
      .axis({"stores",
             "ordinary, non-temporal, or (auto) non-temporal where the caches do not hold the images",
             {"auto", "cached", "streamed"},
             "auto",
             {"fused_rows"}})
      .axis({"tile_arrays",
             "local arrays of the first pass in addition to the tile: what it needs, or as published: a "
             "whole array "
             "for "
             "each edge (branches) and one for the results",
             {"needed", "published"},
             "needed",
             {"branches", "halo"},
             {"published"}})
      .default_setting("halo", {{"padding", 1}})
      .default_setting(
          "fused",
          {{"work_group", 8}, {"granularity", 64}, {"vector_width", 4}, {"unroll", 2}, {"padding", 1}})
      .default_setting("fused", {{"granularity", 16}, {"unroll", 1}}, is_gpu)
      .default_setting("fused_rows",
                       {{"work_group", 1}, {"granularity", 32}, {"vector_width", 16}, {"padding", 1}})
      .default_setting("fused_rows", {{"vector_width", 8}}, has_few_registers);
  space.constrain("variant=branches and variant=halo require work_group of at least 8, the edge of a tile",
                  [](const Point& p) { return is_fused(p) || p["work_group"] >= 8; });
  space.constrain("granularity must be at most work_group, the edge of a tile",
                  [](const Point& p) { return is_fused(p) || p["granularity"] <= p["work_group"]; });
  space.constrain("vector_width must be at most work_group, the edge of a tile",
                  [](const Point& p) { return is_fused(p) || p["vector_width"] <= p["work_group"]; });
  space.constrain("sync=flags requires work_group=1 and the whole image as region of interest",
                  [](const Point& p) {
                    return p.config.string("sync") != "flags" ||
                           (p["work_group"] == 1 && p.problem.integer("roi_rows") == 0 &&
                            p.problem.integer("roi_cols") == 0);
                  });
  space.constrain(
      "unroll must be at most granularity, the iterations of the loop over rows",
      [](const Point& p) { return p.variant() == "fused_rows" || p["unroll"] <= p["granularity"]; });
  space.constrain("vector_width above 1 requires padding=1: vectors read beyond a row's end",
                  [](const Point& p) { return p["vector_width"] == 1 || p["padding"] == 1; });
  space.constrain("variant=fused and variant=fused_rows require padding=1: they read beyond a row's end",
                  [](const Point& p) { return !is_fused(p) || p["padding"] == 1; });
  space.group_items([](const Point& p) {
    const std::int64_t square = p["work_group"] * p["work_group"];
    const std::int64_t items = is_fused(p) ? square : square / p["granularity"] / p["vector_width"];
    return static_cast<std::uint64_t>(items);
  });
  space.local_bytes([](const Point& p) {
    const auto edge = static_cast<std::uint64_t>(p["work_group"]);
    const std::uint64_t reduction =
        8 * std::max<std::uint64_t>(max_statistics_group, is_fused(p) ? edge * edge : 0);
    const bool whole = p.config.string("tile_arrays") == "published";
    if (p.variant() == "branches") return std::max(reduction, 4 * edge * (whole ? 6 * edge : edge + 4));
    if (p.variant() != "halo") return reduction;
    const std::uint64_t pitch = round_up(edge + 2, static_cast<std::uint64_t>(p["vector_width"]));
    return std::max(reduction, 4 * ((edge + 2) * pitch + (whole ? edge * edge : 0)));
  });
  return space;
}

// srad where no point is known: fused steps, with so few pixels for a work-item that every compute unit has
// work.

namespace {

// A GPU's unit with fewer has nothing to do while it waits for memory. On an H200 steps of 256 x 256 pixels
// take 3/4 of the time with columns instead of vectors of four.
constexpr std::size_t enough_items = 64;

// The work-items of a step of `fused`.
std::size_t items(const Problem& problem, std::size_t width, std::size_t rows) {
  const Parameters p = parameters_of(problem);
  return ceil_div(p.cols, width) * ceil_div(p.rows, rows);
}

// Rows for a work-item of `fused_rows`. Each computes c of one more row than it stores; with fewer rows the
// cores are occupied more evenly: the last chunk may begin when all cores but one have nothing left to do.
std::int64_t rows_for_cores(const Problem& problem, std::size_t cores) {
  const Parameters p = stored_image("fused_rows", parameters_of(problem));
  const std::size_t strips = ceil_div(p.cols, max_strip);
  const auto cost = [&](std::int64_t height) {
    const auto rows = static_cast<std::size_t>(height);
    return strips * (p.rows + ceil_div(p.rows, rows)) + (cores - 1) * (std::min(rows, p.rows) + 1);
  };
  const auto costs_less = [&](std::int64_t a, std::int64_t b) { return cost(a) < cost(b); };
  return std::min<std::int64_t>({32, 16, 4}, costs_less);
}

}  // namespace

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  if (!device.is_gpu)
    return {{"variant", "fused_rows"}, {"granularity", rows_for_cores(problem, device.compute_units)}};
  const Config fused = space.default_config("fused", device);
  std::int64_t width = fused.integer("vector_width");
  std::int64_t rows = fused.integer("granularity");
  const auto idle = [&] {
    return items(problem, static_cast<std::size_t>(width), static_cast<std::size_t>(rows)) <
           enough_items * device.compute_units;
  };
  while (width > 1 && idle()) width /= 2;
  while (rows > 4 && idle()) rows /= 4;
  return {{"variant", "fused"}, {"vector_width", width}, {"granularity", rows}};
}

}  // namespace dwarfsweep::srad

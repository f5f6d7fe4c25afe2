#include "dwarfs/needle/needle.hpp"

#include <algorithm>

#include "harness/device/kinds.hpp"
#include "harness/program/macros.hpp"

namespace dwarfsweep::needle {
namespace {

std::uint64_t local_bytes_of(const Point& point) {
  if (point.variant() == "global") return 0;
  if (point.variant() == "wavefront") return wavefront_local_bytes(point);
  return is_strip(point.variant()) ? strip_local_bytes(point) : scan_local_bytes();
}

std::uint64_t group_items_of(const Point& point) {
  if (point.variant() == "global") return static_cast<std::uint64_t>(point["work_group"]);
  if (point.variant() == "wavefront") return wavefront_group_items(point);
  return is_strip(point.variant()) ? strip_group_items(point) : 1;
}

void add_constraints(Space& space) {
  space.constrain("variant=wavefront requires vector_width of at most granularity, unless granularity=1",
                  [](const Point& p) {
                    return p.variant() != "wavefront" || p["granularity"] == 1 ||
                           p["vector_width"] <= p["granularity"];
                  });
  space.constrain("vector_width must be at most granularity, the columns of a work-item", [](const Point& p) {
    return !is_strip(p.variant()) || p["vector_width"] <= p["granularity"];
  });
  space.constrain(
      "granularity times unroll must be at most 64, or the cells of a step do not stay in registers",
      [](const Point& p) { return !is_strip(p.variant()) || p["granularity"] * p["unroll"] <= 64; });
  const auto shuffles = [](const Point& p) { return p.config.string("handover") == "shuffle"; };
  space.constrain(lacks_shuffles,
                  [=](const Point& p) { return !shuffles(p) || !lane_counts(p.device).empty(); });
  space.constrain(
      "handover=shuffle requires work_group work-items that shuffle with each other on the device",
      [=](const Point& p) { return !shuffles(p) || strip_lanes(p.config, p.device).shuffle(); });
  space.local_bytes(local_bytes_of);
  space.group_items(group_items_of);
}

}  // namespace

Space make_space() {
  const std::vector<std::string> coarsened = {"wavefront", "strip", "score_only", "scan", "score_only_scan"};
  Space space;
  space
      .axis({"variant",
             "wavefront: tiles in local memory, a launch per diagonal of tiles; strip: strips of columns in "
             "registers, neighbour exchange between work-items, one launch; scan: rows as running maxima of "
             "vectors in large tiles; score_only, score_only_scan: the same without storing the matrix; "
             "global: "
             "a work-item per cell and a launch per diagonal of cells, without local memory",
             {"wavefront", "strip", "score_only", "scan", "score_only_scan", "global"},
             "wavefront",
             {},
             {"global"}})
      .axis(
          {"work_group",
           "edge of a tile (wavefront), work-items side by side in a strip, or cells of a diagonal (global)",
           {16, 32, 64, 128},
           16,
           {"wavefront", "strip", "score_only", "global"}})
      .axis({"granularity",
             "cells of a diagonal per work-item (wavefront; above 1 the diagonals are padded to equal "
             "length), columns per work-item (strip), or rows of a tile in units of 16 (scan)",
             {1, 2, 4, 8, 16},
             1,
             coarsened})
      .axis({"vector_width", "neighbours moved and computed at once", {1, 2, 4, 8, 16}, 1, coarsened})
      .axis({"unroll",
             "of the loop over diagonals (wavefront), rows per step (strip), or vectors per iteration (scan)",
             {1, 2, 4, 8},
             1,
             coarsened})
      .axis({"padding", "unused columns of a tile in local memory", {0, 1}, 0, {"wavefront"}})
      .axis({"similarity",
             "stored: a score for each cell is read, made beforehand by the host; profile: a row for each "
             "letter",
             {"stored", "profile"},
             "stored",
             {"wavefront"}})
      .axis({"handover",
             "neighbour exchange between work-items: through local memory, by shuffles, or auto: shuffles "
             "on GPUs that have them for so many",
             {"auto", "local", "shuffle"},
             "auto",
             {"strip", "score_only"}})
      .axis(
          {"sync",
           "how a tile waits for the one above: a launch per diagonal, flags within one launch, or these on "
           "CPUs where groups may wait",
           {"auto", "launches", "flags"},
           "auto",
           {"scan", "score_only_scan"}})
      .axis(submission_axis());
  const ValueMap strip{{"work_group", 32}, {"granularity", 4}, {"vector_width", 4}, {"unroll", 2}};
  space.default_setting("strip", strip).default_setting("score_only", strip);
  // As measured on the H200. Intel's compiler keeps it in registers as well, by 16 lanes.
  space.default_setting("score_only", {{"granularity", 8}, {"vector_width", 4}, {"unroll", 4}}, is_gpu);
  const auto has_sub_groups_of_16 = [](const Capabilities& device) {
    const std::vector<std::int64_t> counts = certain_lane_counts(device);
    return has_few_registers(device) && std::find(counts.begin(), counts.end(), 16) != counts.end();
  };
  for (const char* variant : {"strip", "score_only"}) {
    space.default_setting(variant, {{"work_group", 64}}, has_waves_of_64)
        .default_setting(variant, {{"work_group", 16}}, has_sub_groups_of_16);
  }
  const ValueMap scan{{"granularity", 4}, {"vector_width", 16}, {"unroll", 1}};
  space.default_setting("scan", scan).default_setting("score_only_scan", scan);
  add_constraints(space);
  return space;
}

bool is_strip(const std::string& variant) {
  return variant == "strip" || variant == "score_only";
}

bool is_stored(const std::string& variant) {
  return variant == "wavefront" || variant == "strip" || variant == "scan" || variant == "global";
}

}  // namespace dwarfsweep::needle

#include "dwarfs/strips.hpp"

#include <string>

#include "harness/space/rounding.hpp"

namespace dwarfsweep {
namespace {

constexpr std::int64_t default_strip = 256;

bool streams(const Point& p) {
  return p.variant() == "streaming";
}

bool shuffles(const Point& p) {
  return p.config.string("exchange") == "shuffle";
}

Geometry deepest_strips(const Config& config, const Lanes& lanes) {
  return strips_of(config, static_cast<int>(config.integer("depth")), lanes);
}

}  // namespace

Geometry strips_of(const Config& config, int steps, const Lanes& lanes) {
  const std::int64_t group = config.integer("work_group");
  const std::int64_t width = config.integer("vector_width");
  Geometry geometry;
  geometry.strip_items = lanes.shuffle() ? lanes.count : group;
  geometry.halo = round_up(std::int64_t{steps}, width);
  geometry.stored = group == 1 ? config.integer("strip") : geometry.strip_items * width - 2 * geometry.halo;
  return geometry;
}

Lanes lanes_of(const Config& config, const Capabilities& device) {
  const std::string& exchange = config.string("exchange");
  const bool chosen = exchange == "shuffle";
  if (config.string("variant") != "streaming" || exchange == "local" || (!chosen && !device.is_gpu))
    return {};
  Lanes widest;
  for (const std::int64_t count : chosen ? lane_counts(device) : certain_lane_counts(device)) {
    if (config.integer("work_group") % count != 0) continue;
    widest = shuffling_lanes(device, count);
    const Geometry geometry = deepest_strips(config, widest);
    if (geometry.stored >= 2 * geometry.halo) return widest;
  }
  return chosen || widest.count == config.integer("work_group") ? widest : Lanes{};
}

void add_strip_axes(Space& space) {
  space
      .axis({"strip",
             "columns that a single work-item stores",
             {128, default_strip, 512, 1024},
             default_strip,
             {"streaming"}})
      .axis({"prefetch", "how many rows ahead of its use a row is loaded", {1, 2, 4}, 1, {"streaming"}})
      .axis({"exchange",
             "neighbouring columns through local memory, or by shuffles among the lanes of a sub-group, or "
             "(auto) by shuffles on GPUs where these are wide enough for the depth",
             {"auto", "local", "shuffle"},
             "auto",
             {"streaming"}});
}

void add_strip_constraints(Space& space) {
  space.constrain(
      "variant=streaming requires granularity of at least 16: each group loads several rows in addition",
      [](const Point& p) { return !streams(p) || p["granularity"] >= 16; });
  space.constrain(
      "depth is too large for the columns of work_group times vector_width: a strip loses a column on each "
      "side per step",
      [](const Point& p) {
        return !streams(p) || deepest_strips(p.config, lanes_of(p.config, p.device)).stored > 0;
      });
  space.constrain(
      "strip other than 256 requires work_group=1: in larger groups each work-item has one vector",
      [](const Point& p) { return !streams(p) || p["work_group"] == 1 || p["strip"] == default_strip; });
  space.constrain("work_group=1 with variant=streaming requires a CPU: whole rows are in private memory",
                  [](const Point& p) { return !streams(p) || p["work_group"] > 1 || !p.device.is_gpu; });
  space.constrain(lacks_shuffles,
                  [](const Point& p) { return !shuffles(p) || !lane_counts(p.device).empty(); });
  space.constrain(
      "exchange=shuffle requires work_group to be a multiple of the work-items that shuffle with each other "
      "on the device",
      [](const Point& p) { return !shuffles(p) || lanes_of(p.config, p.device).shuffle(); });
}

Macros& define_strips(Macros& macros, const Geometry& geometry, int steps, const Lanes& lanes) {
  return macros.define("LEVELS", steps)
      .define("STORED", geometry.stored)
      .define("HALO", geometry.halo)
      .define("STRIP_ITEMS", geometry.strip_items)
      .let_lanes_shuffle(lanes);
}

}  // namespace dwarfsweep

#include "dwarfs/hotspot/hotspot.hpp"

#include "harness/space/rounding.hpp"

namespace dwarfsweep::hotspot {
namespace {

std::size_t axis_of(const Config& config, const char* name) {
  return static_cast<std::size_t>(config.integer(name));
}

}  // namespace

Lanes lanes_of(const Config& config, const Capabilities& device) {
  const std::string& exchange = config.string("exchange");
  const bool chosen = exchange == "shuffle";
  if (config.string("variant") != "streaming" || exchange == "local" || (!chosen && !device.is_gpu))
    return {};
  Lanes widest;
  for (const std::int64_t count : chosen ? lane_counts(device) : certain_lane_counts(device)) {
    if (config.integer("work_group") % count != 0) continue;
    widest = shuffling_lanes(device, count);
    const Geometry geometry(config, max_steps_per_launch(config), widest);
    if (geometry.stored >= 2 * geometry.halo) return widest;
  }
  return chosen || widest.count == config.integer("work_group") ? widest : Lanes{};
}

int max_steps_per_launch(const Config& config) {
  if (config.string("variant") == "single_step") return 1;
  return static_cast<int>(config.integer(config.string("variant") == "pyramid" ? "pyramid_height" : "depth"));
}

Geometry::Geometry(const Config& config, int steps, const Lanes& lanes)
    : strip_items(lanes.shuffle() ? lanes.count : config.integer("work_group")) {
  const std::string& variant = config.string("variant");
  const std::int64_t width = config.integer("vector_width");
  if (variant == "single_step") {
    stored = config.integer("work_group");
  } else if (variant == "pyramid") {
    halo = steps;
    stored = config.integer("work_group") - 2 * halo;
  } else {
    halo = round_up(std::int64_t{steps}, width);
    stored = config.integer("work_group") == 1 ? config.integer("strip") : strip_items * width - 2 * halo;
  }
}

LaunchRange Geometry::range(const Config& config, const Parameters& p) const {
  const std::size_t group = axis_of(config, "work_group");
  const std::size_t columns = ceil_div(p.cols, static_cast<std::size_t>(stored));
  if (config.string("variant") == "streaming") {
    const std::size_t bands = ceil_div(p.rows, axis_of(config, "granularity"));
    return {Range(round_up(columns * static_cast<std::size_t>(strip_items), group), bands), Range(group, 1)};
  }
  const Range local(group / axis_of(config, "vector_width"), group / axis_of(config, "granularity"));
  return {
      Range(columns * local.sizes[0], ceil_div(p.rows, static_cast<std::size_t>(stored)) * local.sizes[1]),
      local};
}

}  // namespace dwarfsweep::hotspot

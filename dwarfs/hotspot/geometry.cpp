#include "dwarfs/hotspot/hotspot.hpp"

#include "dwarfs/long_rows.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::hotspot {
namespace {

std::size_t axis_of(const Config& config, const char* name) {
  return static_cast<std::size_t>(config.integer(name));
}

}  // namespace

int max_steps_per_launch(const Config& config) {
  if (config.string("variant") == "single_step") return 1;
  return static_cast<int>(config.integer(config.string("variant") == "pyramid" ? "pyramid_height" : "depth"));
}

Geometry geometry_of(const Config& config, int steps, const Lanes& lanes) {
  const std::string& variant = config.string("variant");
  if (variant == "streaming") return strips_of(config, steps, lanes);
  Geometry geometry;
  geometry.halo = variant == "pyramid" ? steps : 0;
  geometry.stored = config.integer("work_group") - 2 * geometry.halo;
  geometry.strip_items = config.integer("work_group");
  return geometry;
}

Parameters stored_grid(const Config& config, const Parameters& p) {
  const bool in_rows = config.string("variant") == "streaming" && config.integer("work_group") == 1;
  return in_rows && has_short_rows(p.rows, p.cols) ? Parameters{p.cols, p.rows, p.steps} : p;
}

LaunchRange range_of(const Geometry& geometry, const Config& config, const Parameters& p) {
  const std::size_t group = axis_of(config, "work_group");
  const std::size_t columns = ceil_div(p.cols, static_cast<std::size_t>(geometry.stored));
  if (config.string("variant") == "streaming") {
    const std::size_t bands = ceil_div(p.rows, axis_of(config, "granularity"));
    return {Range(round_up(columns * static_cast<std::size_t>(geometry.strip_items), group), bands),
            Range(group, 1)};
  }
  const Range local(group / axis_of(config, "vector_width"), group / axis_of(config, "granularity"));
  return {Range(columns * local.sizes[0],
                ceil_div(p.rows, static_cast<std::size_t>(geometry.stored)) * local.sizes[1]),
          local};
}

}  // namespace dwarfsweep::hotspot

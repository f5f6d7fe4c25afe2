#include "dwarfs/hotspot/geometry.hpp"

#include "harness/rounding.hpp"

namespace dwarfsweep::hotspot {
namespace {

std::size_t axis_of(const Config& config, const char* name) {
  return static_cast<std::size_t>(config.integer(name));
}

// Square tiles, of which `stored` x `stored` cells are stored.
LaunchRange tiles_range(const Config& config, const Parameters& p, std::size_t stored) {
  const std::size_t edge = axis_of(config, "work_group");
  const Range local(edge / axis_of(config, "vector_width"), edge / axis_of(config, "granularity"));
  return {Range(ceil_div(p.cols, stored) * local.sizes[0], ceil_div(p.rows, stored) * local.sizes[1]), local};
}

LaunchRange strips_range(const Config& config, const Parameters& p, int steps, bool shuffle) {
  const std::size_t group = axis_of(config, "work_group");
  const std::size_t bands = ceil_div(p.rows, axis_of(config, "granularity"));
  if (group == 1) return {Range(ceil_div(p.cols, axis_of(config, "strip")), bands), Range(1, 1)};
  const std::int64_t items = strip_items(config, shuffle);
  const auto stored = static_cast<std::size_t>(stored_columns(items, config.integer("vector_width"), steps));
  const std::size_t all_items = ceil_div(p.cols, stored) * static_cast<std::size_t>(items);
  return {Range(round_up(all_items, group), bands), Range(group, 1)};
}

}  // namespace

std::int64_t strip_halo(std::int64_t width, std::int64_t steps) {
  return round_up(steps, width);
}

std::int64_t stored_columns(std::int64_t items, std::int64_t width, std::int64_t steps) {
  return items * width - 2 * strip_halo(width, steps);
}

bool may_shuffle(const Config& config) {
  return config.string("exchange") != "local" && config.integer("work_group") % shuffling_lanes == 0;
}

std::int64_t strip_items(const Config& config, bool shuffle) {
  return shuffle ? shuffling_lanes : config.integer("work_group");
}

int max_steps_per_launch(const Config& config) {
  if (config.string("variant") == "single_step") return 1;
  return static_cast<int>(config.integer(config.string("variant") == "pyramid" ? "pyramid_height" : "depth"));
}

LaunchRange launch_range(const Config& config, const Parameters& p, int steps, bool shuffle) {
  const std::size_t edge = axis_of(config, "work_group");
  if (config.string("variant") == "single_step") return tiles_range(config, p, edge);
  if (config.string("variant") == "pyramid")
    return tiles_range(config, p, edge - 2 * static_cast<std::size_t>(steps));
  return strips_range(config, p, steps, shuffle);
}

}  // namespace dwarfsweep::hotspot

#include "suite/plan/plan_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/device/host.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "suite/search/search_space.hpp"

namespace dwarfsweep {
namespace {

// The values that an axis takes in this plan: none if it stays at its default.
std::vector<Value> varied_values(const Axis& axis, const PlanRequest& request) {
  if (request.settings.has(axis.name)) return {};
  if (request.axes.empty()) return axis.values;
  for (const auto& [name, values] : request.axes) {
    if (name == axis.name) return values;
  }
  return {};
}

// How many points the plan `full` has of these variants, legal or not.
double full_product(const Space& space, const std::vector<std::string>& variants,
                    const PlanRequest& request) {
  double points = 0;
  for (const std::string& variant : variants) {
    double product = 1;
    for (const Axis& axis : free_axes(space, variant, request)) {
      product *= static_cast<double>(axis.values.size());
    }
    points += product;
  }
  return points;
}

// All points are in memory at once, at some 150 bytes for each axis of a point; half of the host's memory is
// for other dwarfs and for measuring.
void require_memory(const PlanOrigin& origin, const std::string& plan, double points) {
  const double bytes = points * 150 * static_cast<double>(origin.dwarf.space().axes().size());
  if (bytes <= static_cast<double>(host_memory_bytes()) / 2) return;
  throw UsageError(
      fmt::format("the {} plan has {:.0f} points, {:.1f} GB to hold, more than half of this host's memory; "
                  "name the axes to vary (--axis granularity=1,4) or draw {}points (--plan random:1000)",
                  plan, points, bytes / 1e9, plan == "full" ? "" : "fewer "));
}

// How many points a plan of `request.random_points` can have at most.
std::size_t points_to_draw(const PlanOrigin& origin, const std::vector<std::string>& variants) {
  const PlanRequest& request = origin.request;
  const double points = std::min(static_cast<double>(request.random_points),
                                 full_product(origin.dwarf.space(), variants, request));
  require_memory(origin, request.kind == PlanKind::random ? "random" : "stratified", points);
  return static_cast<std::size_t>(points);
}

bool same_problem(const Dwarf& dwarf, const ValueMap& published, const Problem& problem) {
  return make_problem(dwarf.info().name, dwarf.info().keys, {"paper", published}).values == problem.values;
}

// `initial` with this axis at each of its values that is legal there, from the smallest on.
std::vector<Config> legal_along(const Axis& axis, const Config& initial, const PlanOrigin& origin) {
  std::vector<Value> values = varied_values(axis, origin.request);
  if (axis.values.front().is_integer()) {
    std::sort(values.begin(), values.end(),
              [](const Value& left, const Value& right) { return left.integer() < right.integer(); });
  }
  std::vector<Config> configs;
  for (const Value& value : values) {
    Config config = initial.with(axis.name, value);
    if (!origin.dwarf.space().why_rejected({config, origin.problem, origin.capabilities}))
      configs.push_back(std::move(config));
  }
  return configs;
}

}  // namespace

std::vector<std::string> variants_of(const Space& space, const PlanRequest& request, const Config& origin) {
  const std::vector<Value> varied = varied_values(space.find("variant"), request);
  std::vector<std::string> variants;
  if (varied.empty() || request.axes.empty()) variants.push_back(origin.string("variant"));
  for (const Value& value : varied) {
    if (std::find(variants.begin(), variants.end(), value.to_string()) == variants.end()) {
      variants.push_back(value.to_string());
    }
  }
  return variants;
}

Config default_of(const Space& space, const std::string& variant, const Capabilities& capabilities,
                  const PlanRequest& request) {
  Config config = space.default_config(variant, capabilities);
  for (const auto& [name, value] : request.settings.entries()) {
    if (name != "variant" && Space::applies(space.find(name), variant)) config = config.with(name, value);
  }
  return config;
}

std::vector<Axis> free_axes(const Space& space, const std::string& variant, const PlanRequest& request) {
  std::vector<Axis> axes;
  for (Axis axis : space.axes()) {
    if (axis.name == "variant" || !Space::applies(axis, variant)) continue;
    axis.values = varied_values(axis, request);
    if (!axis.values.empty()) axes.push_back(std::move(axis));
  }
  return axes;
}

void add_one_at_a_time(const PlanOrigin& origin, ConfigList& configs) {
  const Space& space = origin.dwarf.space();
  const PlanRequest& request = origin.request;
  const std::string first = origin.config.string("variant");
  for (const std::string& variant : variants_of(space, request, origin.config)) {
    const Config initial = default_of(space, variant, origin.capabilities, request);
    configs.add(initial);
    for (const Axis& axis : space.axes()) {
      if (axis.name == "variant" || !Space::applies(axis, variant)) continue;
      // The shared axes are varied in the first variant; in the others what is their own, or was asked for by
      // name.
      if (variant != first && Space::applies(axis, first) && request.axes.empty()) continue;
      for (const Value& value : varied_values(axis, request)) configs.add(initial.with(axis.name, value));
    }
  }
}

void add_full(const PlanOrigin& origin, ConfigList& configs) {
  const Space& space = origin.dwarf.space();
  const PlanRequest& request = origin.request;
  const std::vector<std::string> variants = variants_of(space, request, origin.config);
  require_memory(origin, "full", full_product(space, variants, request));
  for (const std::string& variant : variants) {
    const std::vector<Axis> axes = free_axes(space, variant, request);
    std::vector<std::size_t> digits(axes.size(), 0);
    for (bool more = true; more;) {
      Config config = default_of(space, variant, origin.capabilities, request);
      for (std::size_t i = 0; i < axes.size(); ++i)
        config = config.with(axes[i].name, axes[i].values[digits[i]]);
      configs.add(config);
      more = false;
      for (std::size_t i = axes.size(); i-- > 0 && !more;) {
        more = ++digits[i] < axes[i].values.size();
        if (!more) digits[i] = 0;
      }
    }
  }
}

void add_uniform(const PlanOrigin& origin, ConfigList& configs) {
  const PlanRequest& request = origin.request;
  const auto names = variants_of(origin.dwarf.space(), request, origin.config);
  const std::size_t wanted = configs.count() + points_to_draw(origin, names);
  std::vector<SearchedVariant> variants;
  for (const std::string& variant : names) {
    variants.push_back({default_of(origin.dwarf.space(), variant, origin.capabilities, request),
                        free_axes(origin.dwarf.space(), variant, request)});
  }
  const DwarfSpace space(origin.dwarf.space(), origin.problem, origin.capabilities, variants);
  Random random(request.seed);
  std::set<PointNumber> drawn;
  const auto is_new = [&](PointNumber point) {
    request.check_for_stop();
    return !drawn.contains(point);
  };
  while (configs.count() < wanted) {
    const auto point = draw_new(space, is_new, random);
    if (!point) return;
    drawn.insert(*point);
    configs.add(space.config(*point));
  }
}

// Each point is drawn axis by axis, and one that cannot run is drawn again.
void add_stratified(const PlanOrigin& origin, ConfigList& configs) {
  const Space& space = origin.dwarf.space();
  const PlanRequest& request = origin.request;
  const auto variants = variants_of(space, request, origin.config);
  Random random(request.seed);
  const std::size_t points = points_to_draw(origin, variants);
  const std::size_t wanted = configs.count() + points;
  for (std::size_t draw = 0; configs.count() < wanted && draw < 100 * points; ++draw) {
    request.check_for_stop();
    const std::string& variant = variants[random.below(variants.size())];
    Config config = default_of(space, variant, origin.capabilities, request);
    for (const Axis& axis : free_axes(space, variant, request)) {
      config = config.with(axis.name, axis.values[random.below(axis.values.size())]);
    }
    if (!space.why_rejected({config, origin.problem, origin.capabilities})) configs.add(config);
  }
}

void add_corners(const PlanOrigin& origin, ConfigList& configs) {
  const Space& space = origin.dwarf.space();
  for (const std::string& variant : variants_of(space, origin.request, origin.config)) {
    const Config initial = default_of(space, variant, origin.capabilities, origin.request);
    configs.add(initial);
    for (const Axis& axis : free_axes(space, variant, origin.request)) {
      const std::vector<Config> legal = legal_along(axis, initial, origin);
      if (legal.empty()) continue;
      if (!axis.values.front().is_integer()) {
        for (const Config& config : legal) configs.add(config);
        continue;
      }
      configs.add(legal.front());
      configs.add(legal.back());
    }
  }
}

void add_paper(const PlanOrigin& origin, ConfigList& configs) {
  const Dwarf& dwarf = origin.dwarf;
  const Space& space = dwarf.space();
  const auto settings = dwarf.paper_settings();
  const bool published = std::any_of(settings.begin(), settings.end(), [&](const PaperSetting& setting) {
    return same_problem(dwarf, setting.problem, origin.problem);
  });
  for (const PaperSetting& setting : settings) {
    if (published && !same_problem(dwarf, setting.problem, origin.problem)) continue;
    configs.add(space.set(space.baseline(), setting.settings, origin.capabilities));
  }
}

}  // namespace dwarfsweep

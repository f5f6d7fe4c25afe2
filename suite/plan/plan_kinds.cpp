#include "suite/plan/plan_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/device/host_memory.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "suite/plan/varied_axes.hpp"
#include "suite/search/dwarf_space.hpp"
#include "suite/search/new_points.hpp"

namespace dwarfsweep {
namespace {

// The product is held as a whole, at some 150 bytes for each axis of a point; half of the host's memory is
// for other dwarfs and for measuring.
void require_memory_for_full(const Space& space, const std::vector<std::string>& variants,
                             const PlanRequest& request) {
  double points = 0;
  for (const std::string& variant : variants) {
    double product = 1;
    for (const Axis& axis : free_axes(space, variant, request)) {
      product *= static_cast<double>(axis.values.size());
    }
    points += product;
  }
  const double bytes = points * 150 * static_cast<double>(space.axes().size());
  if (bytes > static_cast<double>(host_memory_bytes()) / 2) {
    throw UsageError(fmt::format(
        "the full plan has {:.0f} points, {:.1f} GB to hold, more than half of this host's memory; "
        "name the axes to vary (--axis granularity=1,4) or draw points (--plan random:1000)",
        points, bytes / 1e9));
  }
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
  require_memory_for_full(space, variants, request);
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
  std::vector<SearchedVariant> variants;
  for (const std::string& variant : variants_of(origin.dwarf.space(), request, origin.config)) {
    variants.push_back({default_of(origin.dwarf.space(), variant, origin.capabilities, request),
                        free_axes(origin.dwarf.space(), variant, request)});
  }
  const DwarfSpace space(origin.dwarf.space(), origin.problem, origin.capabilities, variants);
  Random random(request.seed);
  std::set<PointNumber> drawn;
  const std::size_t wanted = configs.count() + request.random_points;
  while (configs.count() < wanted) {
    const auto point = draw_new(
        space, [&](PointNumber each) { return drawn.count(each) == 0; }, random);
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
  const std::size_t wanted = configs.count() + request.random_points;
  for (std::size_t draw = 0; configs.count() < wanted && draw < 100 * request.random_points; ++draw) {
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

#include "suite/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/device/host.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "suite/search/search_space.hpp"

namespace dwarfsweep {
namespace {

// Throws UsageError if a fixed setting or a named axis is not of this space.
void check_request(const Space& space, const PlanRequest& request) {
  (void)space.set(space.baseline(), request.settings);
  for (const auto& [name, values] : request.axes) {
    const Axis& axis = space.find(name);
    for (const Value& value : values) {
      if (std::ranges::find(axis.values, value) == axis.values.end()) {
        std::vector<std::string> allowed;
        for (const Value& each : axis.values) allowed.push_back(each.to_string());
        throw UsageError(fmt::format("axis '{}' has no value '{}'; it takes {}", name, value.to_string(),
                                     fmt::join(allowed, ", ")));
      }
    }
  }
}

Problem problem_of(const Dwarf& dwarf, const Size& size) {
  return make_problem(dwarf.info().name, dwarf.info().keys, size);
}

std::vector<Problem> published_problems(const Dwarf& dwarf) {
  std::vector<Problem> problems;
  for (const PaperSetting& setting : dwarf.paper_settings()) {
    const Problem problem = problem_of(dwarf, {"paper", setting.problem});
    const bool known =
        std::ranges::any_of(problems, [&](const Problem& other) { return other.values == problem.values; });
    if (!known) problems.push_back(problem);
  }
  return problems;
}

// The values that an axis takes in this plan: none if it stays at its default.
std::vector<Value> varied_values(const Axis& axis, const PlanRequest& request) {
  if (request.settings.has(axis.name)) return {};
  if (request.axes.empty()) {
    std::vector<Value> values = axis.values;
    std::erase_if(values, [&](const Value& value) {
      return std::ranges::find(axis.by_name, value) != axis.by_name.end();
    });
    return values.size() == 1 && !axis.by_name.empty() ? std::vector<Value>{} : values;
  }
  for (const auto& [name, values] : request.axes) {
    if (name == axis.name) return values;
  }
  return {};
}

// Collects the configurations of a plan in its order, each once.
class PlanMaker {
 public:
  PlanMaker(const Dwarf& dwarf, const Problem& problem, const Capabilities& capabilities,
            const PlanRequest& request)
      : dwarf_(dwarf),
        space_(dwarf.space()),
        problem_(problem),
        capabilities_(capabilities),
        request_(request),
        origin_(space_.set(space_.baseline(), request.settings, capabilities)),
        variants_(variants_of(space_, request, origin_)) {}

  std::vector<PlannedPoint> make() {
    add(space_.baseline());
    switch (request_.kind) {
      case PlanKind::baseline:
        add(origin_);
        break;
      case PlanKind::one_at_a_time:
        add_one_at_a_time();
        break;
      case PlanKind::full:
        add_full();
        break;
      case PlanKind::random:
        add_uniform();
        break;
      case PlanKind::stratified:
        add_stratified();
        break;
      case PlanKind::paper:
        add_paper();
        break;
      case PlanKind::corners:
        add_corners();
        break;
      case PlanKind::best:
      case PlanKind::transfer:
      case PlanKind::ci:
        for (const ValueMap& best : request_.best) add(best_config(space_, best, request_, capabilities_));
        break;
    }
    seen_.clear();  // a full product has millions, too many for a second copy
    std::vector<PlannedPoint> points;
    points.reserve(list_.size());
    for (Config& config : list_) {
      request_.check_for_stop();
      auto rejected = why_rejected(config);
      points.push_back({std::move(config), std::move(rejected)});
    }
    return points;
  }

 private:
  void add(const Config& config) {
    request_.check_for_stop();
    if (seen_.insert(config.to_string()).second) list_.push_back(config);
  }

  [[nodiscard]] std::optional<std::string> why_rejected(const Config& config) const {
    return space_.why_rejected({config, problem_, capabilities_});
  }
  [[nodiscard]] Config default_of(const std::string& variant) const {
    return dwarfsweep::default_of(space_, variant, capabilities_, request_);
  }
  [[nodiscard]] std::vector<Axis> free_axes(const std::string& variant) const {
    return dwarfsweep::free_axes(space_, variant, request_);
  }

  // Each axis varied from the origin; then each other variant at its default configuration, with the axes
  // that the origin's variant does not have.
  void add_one_at_a_time() {
    const std::string first = origin_.string("variant");
    for (const std::string& variant : variants_) {
      const Config initial = default_of(variant);
      add(initial);
      for (const Axis& axis : space_.axes()) {
        if (axis.name == "variant" || !Space::applies(axis, variant)) continue;
        // The shared axes are varied in the first variant; in the others what is their own, or was asked for
        // by name.
        if (variant != first && Space::applies(axis, first) && request_.axes.empty()) continue;
        for (const Value& value : varied_values(axis, request_)) add(initial.with(axis.name, value));
      }
    }
  }

  // How many points the plan `full` has, legal or not.
  [[nodiscard]] double full_product() const {
    double points = 0;
    for (const std::string& variant : variants_) {
      double product = 1;
      for (const Axis& axis : free_axes(variant)) product *= static_cast<double>(axis.values.size());
      points += product;
    }
    return points;
  }

  // All points are in memory at once, at some 150 bytes for each axis of a point; half of the host's memory
  // is for other dwarfs and for measuring.
  void require_memory(const char* plan, double points) const {
    const double bytes = points * 150 * static_cast<double>(space_.axes().size());
    if (bytes <= static_cast<double>(host_memory_bytes()) / 2) return;
    throw UsageError(
        fmt::format("the {} plan has {:.0f} points, {:.1f} GB to hold, more than half of this host's memory; "
                    "name the axes "
                    "to vary (--axis granularity=1,4) or draw {}points (--plan random:1000)",
                    plan, points, bytes / 1e9, request_.kind == PlanKind::full ? "" : "fewer "));
  }

  // The product of all varied values.
  void add_full() {
    require_memory("full", full_product());
    for (const std::string& variant : variants_) {
      const std::vector<Axis> axes = free_axes(variant);
      std::vector<std::size_t> digits(axes.size(), 0);
      for (bool more = true; more;) {
        Config config = default_of(variant);
        for (std::size_t i = 0; i < axes.size(); ++i)
          config = config.with(axes[i].name, axes[i].values[digits[i]]);
        add(config);
        more = false;
        for (std::size_t i = axes.size(); i-- > 0 && !more;) {
          more = ++digits[i] < axes[i].values.size();
          if (!more) digits[i] = 0;
        }
      }
    }
  }

  // How many points a drawn plan can have at most.
  [[nodiscard]] std::size_t points_to_draw() const {
    const double points = std::min(static_cast<double>(request_.random_points), full_product());
    require_memory(request_.kind == PlanKind::random ? "random" : "stratified", points);
    return static_cast<std::size_t>(points);
  }

  // Legal points of the whole space, every one equally likely. Fewer if no more are found.
  void add_uniform() {
    const std::size_t wanted = list_.size() + points_to_draw();
    std::vector<SearchedVariant> searched;
    for (const std::string& variant : variants_)
      searched.push_back({default_of(variant), free_axes(variant)});
    const DwarfSpace space(space_, problem_, capabilities_, searched);
    Random random(request_.seed);
    std::set<PointNumber> drawn;
    const auto is_new = [&](PointNumber point) {
      request_.check_for_stop();
      return !drawn.contains(point);
    };
    while (list_.size() < wanted) {
      const auto point = draw_new(space, is_new, random);
      if (!point) return;
      drawn.insert(*point);
      add(space.config(*point));
    }
  }

  // Legal points, each variant as likely as every other. Each is drawn axis by axis, and one that cannot run
  // is drawn again. Fewer if no more are found.
  void add_stratified() {
    Random random(request_.seed);
    const std::size_t points = points_to_draw();
    const std::size_t wanted = list_.size() + points;
    for (std::size_t draw = 0; list_.size() < wanted && draw < 100 * points; ++draw) {
      request_.check_for_stop();
      const std::string& variant = variants_[random.below(variants_.size())];
      Config config = default_of(variant);
      for (const Axis& axis : free_axes(variant))
        config = config.with(axis.name, axis.values[random.below(axis.values.size())]);
      if (!why_rejected(config)) add(config);
    }
  }

  // `initial` with this axis at each of its values that is legal there, from the smallest on.
  [[nodiscard]] std::vector<Config> legal_along(const Axis& axis, const Config& initial) const {
    std::vector<Value> values = varied_values(axis, request_);
    if (axis.values.front().is_integer()) {
      std::ranges::sort(
          values, [](const Value& left, const Value& right) { return left.integer() < right.integer(); });
    }
    std::vector<Config> configs;
    for (const Value& value : values) {
      Config config = initial.with(axis.name, value);
      if (!why_rejected(config)) configs.push_back(std::move(config));
    }
    return configs;
  }

  // Every variant's default configuration, and from there each axis by itself at its smallest and its largest
  // legal value; of an axis of strings, which has no order, at every legal one.
  void add_corners() {
    for (const std::string& variant : variants_) {
      const Config initial = default_of(variant);
      add(initial);
      for (const Axis& axis : free_axes(variant)) {
        const std::vector<Config> legal = legal_along(axis, initial);
        const bool is_ordered = axis.values.front().is_integer();
        for (std::size_t i = 0; i < legal.size(); ++i) {
          if (!is_ordered || i == 0 || i + 1 == legal.size()) add(legal[i]);
        }
      }
    }
  }

  // The settings published for this problem; all published settings if the problem is of no published size.
  void add_paper() {
    const auto settings = dwarf_.paper_settings();
    const auto is_of_problem = [&](const PaperSetting& setting) {
      return problem_of(dwarf_, {"paper", setting.problem}).values == problem_.values;
    };
    const bool published = std::ranges::any_of(settings, is_of_problem);
    for (const PaperSetting& setting : settings) {
      if (!published || is_of_problem(setting))
        add(space_.set(space_.baseline(), setting.settings, capabilities_));
    }
  }

  const Dwarf& dwarf_;
  const Space& space_;
  const Problem& problem_;
  const Capabilities& capabilities_;
  const PlanRequest& request_;
  const Config origin_;  // the baseline with the fixed settings
  const std::vector<std::string> variants_;
  std::vector<Config> list_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<std::string> variants_of(const Space& space, const PlanRequest& request, const Config& origin) {
  const std::vector<Value> varied = varied_values(space.find("variant"), request);
  std::vector<std::string> variants;
  if (varied.empty() || request.axes.empty()) variants.push_back(origin.string("variant"));
  for (const Value& value : varied) {
    if (std::ranges::find(variants, value.to_string()) == variants.end()) {
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

PlanRequest parse_plan(const std::string& text) {
  static const std::map<std::string, PlanKind> names = {
      {"baseline", PlanKind::baseline}, {"one-at-a-time", PlanKind::one_at_a_time},
      {"full", PlanKind::full},         {"paper", PlanKind::paper},
      {"best", PlanKind::best},         {"corners", PlanKind::corners},
      {"transfer", PlanKind::transfer}, {"ci", PlanKind::ci}};
  static const std::vector<std::pair<std::string, PlanKind>> drawn = {{"random:", PlanKind::random},
                                                                      {"stratified:", PlanKind::stratified}};
  PlanRequest request;
  for (const auto& [name, kind] : drawn) {
    if (text.rfind(name, 0) != 0) continue;
    const Value count = Value::parse(text.substr(name.size()));
    if (!count.is_integer() || count.integer() < 1) break;
    request.kind = kind;
    request.random_points = static_cast<std::size_t>(count.integer());
    return request;
  }
  if (const auto named = names.find(text); named != names.end()) {
    request.kind = named->second;
  } else {
    throw UsageError(
        fmt::format("there is no plan '{}'; there are baseline, one-at-a-time, full, random:N, stratified:N "
                    "(N from 1), paper, best, corners, transfer and ci",
                    text));
  }
  return request;
}

std::vector<Problem> plan_problems(const Dwarf& dwarf, const PlanRequest& request,
                                   const std::vector<std::string>& sizes, const ValueMap& custom) {
  if (!custom.entries().empty()) return {problem_of(dwarf, {"custom", custom})};
  if (sizes.empty() && request.kind == PlanKind::paper) return published_problems(dwarf);
  std::vector<Problem> problems;
  const std::vector<std::string> wanted = sizes.empty() ? std::vector<std::string>{"small"} : sizes;
  for (const std::string& name : wanted) {
    const std::size_t before = problems.size();
    std::vector<std::string> known;
    for (const Size& size : dwarf.info().sizes) {
      if (known.empty() || known.back() != size.name) known.push_back(size.name);
      if (size.name == name) problems.push_back(problem_of(dwarf, size));
    }
    if (problems.size() == before) {
      throw UsageError(
          fmt::format("{} has no size '{}'; it has {}", dwarf.info().name, name, fmt::join(known, ", ")));
    }
  }
  return problems;
}

Config best_config(const Space& space, const ValueMap& best, const PlanRequest& request,
                   const Capabilities& capabilities) {
  return space.set(space.set(space.baseline(), best, capabilities), request.settings, capabilities);
}

std::vector<PlannedPoint> make_plan(const Dwarf& dwarf, const Problem& problem,
                                    const Capabilities& capabilities, const PlanRequest& request) {
  check_request(dwarf.space(), request);
  return PlanMaker(dwarf, problem, capabilities, request).make();
}

std::optional<std::string> shortfall(const PlanRequest& request, const std::vector<PlannedPoint>& points) {
  // The baseline comes first, drawn or not.
  if (points.size() > request.random_points) return std::nullopt;
  return fmt::format("only {} legal points were found in addition to the baseline; {} were asked for",
                     points.size() - 1, request.random_points);
}

}  // namespace dwarfsweep

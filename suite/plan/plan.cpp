#include "suite/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/error.hpp"
#include "harness/host_memory.hpp"
#include "harness/random.hpp"

namespace dwarfsweep {
namespace {

// Collects configurations in order, each once.
class Configs {
 public:
  void add(const Config& config) {
    if (seen_.insert(config.to_string()).second) list_.push_back(config);
  }
  [[nodiscard]] std::size_t count() const { return list_.size(); }
  // Hands them over: a full product has millions, too many for a second copy.
  [[nodiscard]] std::vector<Config> take() {
    seen_.clear();
    return std::move(list_);
  }

 private:
  std::vector<Config> list_;
  std::set<std::string> seen_;
};

// The values an axis takes in this plan: none where it is to stay where it is.
std::vector<Value> varied_values(const Axis& axis, const PlanRequest& request) {
  if (request.settings.has(axis.name)) return {};
  if (request.axes.empty()) return axis.values;
  for (const auto& [name, values] : request.axes) {
    if (name == axis.name) return values;
  }
  return {};
}

// The variants asked for by name; else the origin's before all others.
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

// The start of a variant with the fixed settings that have a meaning in it.
Config start_of(const Space& space, const std::string& variant, const Capabilities& capabilities,
                const PlanRequest& request) {
  Config config = space.default_config(variant, capabilities);
  for (const auto& [name, value] : request.settings.entries()) {
    if (name != "variant" && Space::applies(space.find(name), variant)) config = config.with(name, value);
  }
  return config;
}

void add_one_at_a_time(const Space& space, const Capabilities& capabilities, const PlanRequest& request,
                       const Config& origin, Configs& configs) {
  const std::string first = origin.string("variant");
  for (const std::string& variant : variants_of(space, request, origin)) {
    const Config start = start_of(space, variant, capabilities, request);
    configs.add(start);
    for (const Axis& axis : space.axes()) {
      if (axis.name == "variant" || !Space::applies(axis, variant)) continue;
      // The shared axes are varied in the first variant; in the others what is their own, or was asked for by
      // name.
      if (variant != first && Space::applies(axis, first) && request.axes.empty()) continue;
      for (const Value& value : varied_values(axis, request)) configs.add(start.with(axis.name, value));
    }
  }
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

void add_full(const Space& space, const Capabilities& capabilities, const PlanRequest& request,
              const Config& origin, Configs& configs) {
  require_memory_for_full(space, variants_of(space, request, origin), request);
  for (const std::string& variant : variants_of(space, request, origin)) {
    const std::vector<Axis> axes = free_axes(space, variant, request);
    std::vector<std::size_t> digits(axes.size(), 0);
    for (bool more = true; more;) {
      Config config = start_of(space, variant, capabilities, request);
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

// Random points need not go through the whole product, which may have millions: each is drawn axis by axis,
// and a point that cannot run is drawn again, up to a bound that tells a space without legal points.
void add_random(const Dwarf& dwarf, const Problem& problem, const Capabilities& capabilities,
                const PlanRequest& request, const Config& origin, Configs& configs) {
  const Space& space = dwarf.space();
  const auto variants = variants_of(space, request, origin);
  Random random(request.seed);
  const std::size_t wanted = configs.count() + request.random_points;
  for (std::size_t draw = 0; configs.count() < wanted && draw < 100 * request.random_points; ++draw) {
    const std::string& variant = variants[random.below(variants.size())];
    Config config = start_of(space, variant, capabilities, request);
    for (const Axis& axis : free_axes(space, variant, request)) {
      config = config.with(axis.name, axis.values[random.below(axis.values.size())]);
    }
    if (!space.why_rejected({config, problem, capabilities})) configs.add(config);
  }
}

bool same_problem(const Dwarf& dwarf, const ValueMap& published, const Problem& problem) {
  return make_problem(dwarf.info().name, dwarf.info().keys, {"paper", published}).values == problem.values;
}

void add_paper(const Dwarf& dwarf, const Problem& problem, const Capabilities& capabilities,
               Configs& configs) {
  const Space& space = dwarf.space();
  const auto settings = dwarf.paper_settings();
  const bool published = std::any_of(settings.begin(), settings.end(), [&](const PaperSetting& setting) {
    return same_problem(dwarf, setting.problem, problem);
  });
  for (const PaperSetting& setting : settings) {
    if (published && !same_problem(dwarf, setting.problem, problem)) continue;
    configs.add(space.set(space.baseline(), setting.settings, capabilities));
  }
}

// Throws UsageError where a fixed setting or a named axis is not of this space.
void check_request(const Space& space, const PlanRequest& request) {
  (void)space.set(space.baseline(), request.settings);
  for (const auto& [name, values] : request.axes) {
    const Axis& axis = space.find(name);
    for (const Value& value : values) {
      if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) {
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

}  // namespace

PlanRequest parse_plan(const std::string& text) {
  PlanRequest request;
  if (text == "baseline") {
    request.kind = PlanKind::baseline;
  } else if (text == "one-at-a-time") {
    request.kind = PlanKind::one_at_a_time;
  } else if (text == "full") {
    request.kind = PlanKind::full;
  } else if (text == "paper") {
    request.kind = PlanKind::paper;
  } else if (text == "best") {
    request.kind = PlanKind::best;
  } else if (text.rfind("random:", 0) == 0 && Value::parse(text.substr(7)).is_integer() &&
             Value::parse(text.substr(7)).integer() > 0) {
    request.kind = PlanKind::random;
    request.random_points = static_cast<std::size_t>(Value::parse(text.substr(7)).integer());
  } else {
    throw UsageError(fmt::format(
        "there is no plan '{}'; there are baseline, one-at-a-time, full, random:N (N from 1), paper and best",
        text));
  }
  return request;
}

std::vector<PlannedPoint> make_plan(const Dwarf& dwarf, const Problem& problem,
                                    const Capabilities& capabilities, const PlanRequest& request) {
  const Space& space = dwarf.space();
  check_request(space, request);
  const Config origin = space.set(space.baseline(), request.settings, capabilities);
  Configs configs;
  configs.add(space.baseline());
  switch (request.kind) {
    case PlanKind::baseline:
      configs.add(origin);
      break;
    case PlanKind::one_at_a_time:
      add_one_at_a_time(space, capabilities, request, origin, configs);
      break;
    case PlanKind::full:
      add_full(space, capabilities, request, origin, configs);
      break;
    case PlanKind::random:
      add_random(dwarf, problem, capabilities, request, origin, configs);
      break;
    case PlanKind::paper:
      add_paper(dwarf, problem, capabilities, configs);
      break;
    case PlanKind::best:
      configs.add(
          space.set(space.set(space.baseline(), request.best, capabilities), request.settings, capabilities));
      break;
  }
  std::vector<PlannedPoint> points;
  points.reserve(configs.count());
  for (Config& config : configs.take()) {
    auto rejected = space.why_rejected({config, problem, capabilities});
    points.push_back({std::move(config), std::move(rejected)});
  }
  return points;
}

std::vector<Problem> plan_problems(const Dwarf& dwarf, const PlanRequest& request,
                                   const std::vector<std::string>& sizes, const ValueMap& custom) {
  if (!custom.entries().empty()) return {problem_of(dwarf, {"custom", custom})};
  std::vector<Problem> problems;
  if (sizes.empty() && request.kind == PlanKind::paper) {
    for (const PaperSetting& setting : dwarf.paper_settings()) {
      const Problem problem = problem_of(dwarf, {"paper", setting.problem});
      const bool known = std::any_of(problems.begin(), problems.end(),
                                     [&](const Problem& other) { return other.values == problem.values; });
      if (!known) problems.push_back(problem);
    }
    return problems;
  }
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

}  // namespace dwarfsweep

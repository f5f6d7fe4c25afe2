#include "suite/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/space/error.hpp"
#include "suite/plan/plan_kinds.hpp"

namespace dwarfsweep {
namespace {

// Throws UsageError if a fixed setting or a named axis is not of this space.
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

std::vector<Problem> published_problems(const Dwarf& dwarf) {
  std::vector<Problem> problems;
  for (const PaperSetting& setting : dwarf.paper_settings()) {
    const Problem problem = problem_of(dwarf, {"paper", setting.problem});
    const bool known = std::any_of(problems.begin(), problems.end(),
                                   [&](const Problem& other) { return other.values == problem.values; });
    if (!known) problems.push_back(problem);
  }
  return problems;
}

}  // namespace

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
  const Space& space = dwarf.space();
  check_request(space, request);
  const PlanOrigin origin{dwarf, problem, capabilities, request,
                          space.set(space.baseline(), request.settings, capabilities)};
  ConfigList configs(request.check_for_stop);
  configs.add(space.baseline());
  switch (request.kind) {
    case PlanKind::baseline:
      configs.add(origin.config);
      break;
    case PlanKind::one_at_a_time:
      add_one_at_a_time(origin, configs);
      break;
    case PlanKind::full:
      add_full(origin, configs);
      break;
    case PlanKind::random:
      add_uniform(origin, configs);
      break;
    case PlanKind::stratified:
      add_stratified(origin, configs);
      break;
    case PlanKind::paper:
      add_paper(origin, configs);
      break;
    case PlanKind::corners:
      add_corners(origin, configs);
      break;
    case PlanKind::best:
    case PlanKind::transfer:
    case PlanKind::ci:
      for (const ValueMap& best : request.best) configs.add(best_config(space, best, request, capabilities));
      break;
  }
  std::vector<PlannedPoint> points;
  points.reserve(configs.count());
  for (Config& config : configs.take()) {
    request.check_for_stop();
    auto rejected = space.why_rejected({config, problem, capabilities});
    points.push_back({std::move(config), std::move(rejected)});
  }
  return points;
}

std::optional<std::string> shortfall(const PlanRequest& request, const std::vector<PlannedPoint>& points) {
  // The baseline comes first, drawn or not.
  if (points.size() > request.random_points) return std::nullopt;
  return fmt::format("only {} legal points were found in addition to the baseline; {} were asked for",
                     points.size() - 1, request.random_points);
}

}  // namespace dwarfsweep

#include "suite/plan/plan_problems.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

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

}  // namespace dwarfsweep

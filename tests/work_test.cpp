// What a run counts as its work is the algorithm's, whichever variant does it.
#include <algorithm>
#include <optional>

#include "dwarfs/registry.hpp"
#include "suite/plan/plan.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using test::generated;
using test::test_session;

namespace {

// Of a point that the device can prepare; nothing is run.
std::optional<Work> total_work(const Dwarf& dwarf, const Loaded& loaded, const Config& config) {
  if (dwarf.space().why_rejected({config, loaded.problem, test_session().device().capabilities}))
    return std::nullopt;
  try {
    Workspace workspace(test_session());
    const std::vector<Work> work = dwarf.prepare(workspace, loaded, config)->work();
    CHECK(work.back().kernel == "total");
    return work.back();
  } catch (const PointFailure& failure) {
    CHECK((failure.status() == Status::unsupported || failure.status() == Status::rejected));
    return std::nullopt;
  }
}

// The baseline, the default configuration of every variant, and some random points.
std::vector<Config> points_of(const Dwarf& dwarf, const Problem& problem) {
  const Capabilities& device = test_session().device().capabilities;
  std::vector<Config> points{dwarf.space().baseline()};
  for (const Value& variant : dwarf.space().find("variant").values)
    points.push_back(dwarf.space().default_config(variant.string(), device));
  for (const PlannedPoint& point : make_plan(dwarf, problem, device, parse_plan("random:4")))
    points.push_back(point.config);
  return points;
}

void check_total_work(const Dwarf& dwarf, const Loaded& loaded) {
  std::optional<Work> expected;
  for (const Config& config : points_of(dwarf, loaded.problem)) {
    const std::optional<Work> total = total_work(dwarf, loaded, config);
    if (!total) continue;
    if (!expected) expected = total;
    INFO(dwarf.info().name << " [" << loaded.problem.values.to_string() << "] " << config.to_string());
    CHECK(total->operations == expected->operations);
    CHECK(total->items == expected->items);
    if (gives_whole_result(dwarf.info().name, config.string("variant"))) {
      CHECK(total->bytes == expected->bytes);
    } else {
      CHECK(total->bytes < expected->bytes);  // it writes a part of the result
    }
  }
  CHECK(expected);
}

}  // namespace

// Steps that need all of the step before count their bytes each: of a dwarf with steps, a problem with
// several. One problem of each dwarf: some compilers take minutes for a program, and other modes have other
// programs.
TEST_CASE("all variants of a dwarf count the same bytes, operations and items in total",
          "[device][work][builds][axes]") {
  const auto has_steps = [](const ValueMap& problem) {
    return std::any_of(problem.entries().begin(), problem.entries().end(), [](const auto& entry) {
      return (entry.first == "steps" || entry.first == "iterations") && entry.second.integer() > 1;
    });
  };
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    const std::vector<ValueMap>& problems = dwarf->info().checks.odd_problems;
    const auto stepped = std::find_if(problems.begin(), problems.end(), has_steps);
    check_total_work(*dwarf, generated(*dwarf, stepped == problems.end() ? problems.front() : *stepped));
  }
}

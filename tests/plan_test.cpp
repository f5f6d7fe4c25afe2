#include "suite/plan/plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

// A dwarf that has only a space and sizes.
class Sketch final : public Dwarf {
 public:
  explicit Sketch(const std::vector<Axis>& more_axes = {}) : Dwarf(make_info(), make_space(more_axes)) {}
  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem&, std::uint64_t) const override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup&) const override { return {}; }
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    return {{"fig 1", {{"n", 64}}, {}},
            {"fig 1", {{"n", 64}}, {{"granularity", 2}}},
            {"fig 2", {{"n", 128}}, {{"work_group", 8}}}};
  }

 private:
  static DwarfInfo make_info() {
    DwarfInfo info;
    info.name = "sketch";
    info.keys = {{"n", "edge", 100, 1, 1000}};
    info.sizes = {
        {"small", {{"n", 10}}}, {"large", {{"n", 500}}}, {"paper", {{"n", 64}}}, {"paper", {{"n", 128}}}};
    return info;
  }
  static Space make_space(const std::vector<Axis>& more_axes) {
    Space space;
    space.axis({"variant", "algorithm", {"plain", "fast"}, "plain"})
        .axis({"work_group", "items", {8, 16, 32}, 16})
        .axis({"granularity", "results per item", {1, 2}, 1})
        .axis({"memory", "where", {"global", "local"}, "global", {"fast"}})
        .default_setting("fast", {{"work_group", 32}})
        .constrain("a group of 8 is too small for two results",
                   [](const Point& p) { return p["work_group"] > 8 || p["granularity"] == 1; });
    for (const Axis& axis : more_axes) space.axis(axis);
    return space;
  }
};

Capabilities roomy_device() {
  Capabilities device;
  device.work_group_items = 4096;
  return device;
}

std::vector<std::string> configs(const PlanRequest& request, const std::string& size = "small") {
  const Sketch dwarf;
  std::vector<std::string> texts;
  for (const Problem& problem : plan_problems(dwarf, request, {size}, {})) {
    for (const PlannedPoint& point : make_plan(dwarf, problem, roomy_device(), request)) {
      texts.push_back(point.config.to_string(" ") + (point.rejected ? " !" : ""));
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("plan best is the baseline and the point that is known as best", "[unit]") {
  PlanRequest request = parse_plan("best");
  CHECK(configs(request).size() == 1);  // nothing known: the baseline alone
  request.best = {{{"variant", "fast"}, {"work_group", 8}, {"granularity", 1}, {"memory", "local"}}};
  CHECK(configs(request) ==
        std::vector<std::string>{"variant=plain work_group=16 granularity=1 memory=global",
                                 "variant=fast work_group=8 granularity=1 memory=local"});
  request.best = {{{"variant", "fast"}, {"colour", 8}}};
  CHECK_THROWS_AS(configs(request), UsageError);
}

TEST_CASE(
    "one at a time varies each axis from the baseline, and other variants at their default configuration",
    "[unit]") {
  CHECK(configs(parse_plan("one-at-a-time")) == std::vector<std::string>{
                                                    "variant=plain work_group=16 granularity=1 memory=global",
                                                    "variant=plain work_group=8 granularity=1 memory=global",
                                                    "variant=plain work_group=32 granularity=1 memory=global",
                                                    "variant=plain work_group=16 granularity=2 memory=global",
                                                    "variant=fast work_group=32 granularity=1 memory=global",
                                                    "variant=fast work_group=32 granularity=1 memory=local",
                                                });
}

TEST_CASE("a named axis is varied over the named values, and no other axis is", "[unit]") {
  PlanRequest request = parse_plan("one-at-a-time");
  request.axes = {{"work_group", {8, 16}}};
  CHECK(configs(request) ==
        std::vector<std::string>{"variant=plain work_group=16 granularity=1 memory=global",
                                 "variant=plain work_group=8 granularity=1 memory=global"});
  request.axes = {{"variant", {"fast"}}, {"memory", {"local"}}};
  CHECK(configs(request) ==
        std::vector<std::string>{"variant=plain work_group=16 granularity=1 memory=global",
                                 "variant=fast work_group=32 granularity=1 memory=global",
                                 "variant=fast work_group=32 granularity=1 memory=local"});
  request.axes = {{"work_group", {9}}};
  CHECK_THROWS_WITH(configs(request), "axis 'work_group' has no value '9'; it takes 8, 16, 32");
}

TEST_CASE("corners are the smallest and the largest legal value of each axis, and every legal string",
          "[unit]") {
  CHECK(configs(parse_plan("corners")) == std::vector<std::string>{
                                              "variant=plain work_group=16 granularity=1 memory=global",
                                              "variant=plain work_group=8 granularity=1 memory=global",
                                              "variant=plain work_group=32 granularity=1 memory=global",
                                              "variant=plain work_group=16 granularity=2 memory=global",
                                              "variant=fast work_group=32 granularity=1 memory=global",
                                              "variant=fast work_group=8 granularity=1 memory=global",
                                              "variant=fast work_group=32 granularity=2 memory=global",
                                              "variant=fast work_group=32 granularity=1 memory=local",
                                          });
  PlanRequest request = parse_plan("corners");
  request.settings = {{"granularity", 2}};  // with which a group of 8 is not legal
  const auto fixed = configs(request);
  CHECK(std::find(fixed.begin(), fixed.end(), "variant=fast work_group=16 granularity=2 memory=global") !=
        fixed.end());
  CHECK(std::none_of(fixed.begin(), fixed.end(), [](const std::string& text) { return text.back() == '!'; }));
}

TEST_CASE("the full plan is the whole product, rejected points with their reason included", "[unit]") {
  const auto all = configs(parse_plan("full"));
  CHECK(all.size() == 3 * 2 + 3 * 2 * 2);
  CHECK(std::set<std::string>(all.begin(), all.end()).size() == all.size());
  CHECK(std::count_if(all.begin(), all.end(), [](const std::string& text) { return text.back() == '!'; }) ==
        3);
}

TEST_CASE("a full plan that does not fit into the host's memory is refused before it is made", "[unit]") {
  std::vector<Axis> axes;
  for (int i = 0; i < 12; ++i)
    axes.push_back({"axis" + std::to_string(i), "one of many", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1});
  const Sketch dwarf(axes);
  const Problem problem = plan_problems(dwarf, parse_plan("full"), {"small"}, {}).front();
  CHECK_THROWS_WITH(
      make_plan(dwarf, problem, roomy_device(), parse_plan("full")),
      test::contains("the full plan has 18000000000000 points") && test::contains("--plan random:1000"));
}

TEST_CASE("a drawn plan that does not fit into the host's memory is refused before it is drawn", "[unit]") {
  for (const char* plan : {"random:4000000000000", "stratified:4000000000000"}) {
    CAPTURE(plan);
    const Dwarf& dwarf = find_dwarf("matmul");
    const Problem problem = plan_problems(dwarf, {}, {"tiny"}, {}).front();
    CHECK_THROWS_AS(make_plan(dwarf, problem, {}, parse_plan(plan)), UsageError);
  }
}

TEST_CASE("drawing and listing points can be stopped", "[unit]") {
  struct Stopped {};
  for (const char* plan : {"random:10", "stratified:10", "full", "one-at-a-time"}) {
    CAPTURE(plan);
    PlanRequest request = parse_plan(plan);
    int left = 5;
    request.check_for_stop = [&] {
      if (left-- == 0) throw Stopped();
    };
    const Sketch dwarf;
    CHECK_THROWS_AS(
        make_plan(dwarf, plan_problems(dwarf, {}, {"small"}, {}).front(), roomy_device(), request), Stopped);
  }
}

TEST_CASE("random points are legal, none twice, and the same for the same seed", "[unit]") {
  PlanRequest request = parse_plan("random:5");
  request.seed = 3;
  const auto first = configs(request);
  CHECK(first.size() == 6);  // and the baseline
  CHECK(std::set<std::string>(first.begin(), first.end()).size() == 6);
  CHECK(std::none_of(first.begin(), first.end(), [](const std::string& text) { return text.back() == '!'; }));
  CHECK(configs(request) == first);
  request.seed = 4;
  CHECK(configs(request) != first);
}

TEST_CASE("random draws every legal point equally, stratified every variant", "[unit]") {
  // plain has 6 points, 5 of them legal; fast has 12, 10 of them legal.
  std::map<std::string, int> fast;
  for (const char* plan : {"random:4", "stratified:4"}) {
    PlanRequest request = parse_plan(plan);
    for (request.seed = 0; request.seed < 400; ++request.seed) {
      for (const std::string& text : configs(request)) fast[plan] += text.starts_with("variant=fast") ? 1 : 0;
    }
  }
  // Of the 14 legal points without the baseline 10 are of fast: 1143 of 1600, standard deviation 16 (without
  // replacement); equal variants would take less than half of plain's remaining four and of ten.
  CHECK(fast["random:4"] == Approx(1600 * 10.0 / 14).margin(64));
  CHECK(fast["stratified:4"] < 1000);
}

TEST_CASE("a plan that asks for more points than there are has all of them, and says so", "[unit]") {
  const Sketch dwarf;
  for (const char* plan : {"random:100", "stratified:100"}) {
    const PlanRequest request = parse_plan(plan);
    const Problem problem = plan_problems(dwarf, request, {"small"}, {}).front();
    const auto points = make_plan(dwarf, problem, roomy_device(), request);
    CHECK(points.size() == 15);
    CHECK(shortfall(request, points) ==
          "only 14 legal points were found in addition to the baseline; 100 were asked for");
    CHECK_FALSE(shortfall(parse_plan("random:14"), points));
    CHECK_FALSE(shortfall(parse_plan("full"), points));
  }
}

TEST_CASE("the paper plan has the published settings of each published size, no more and no less", "[unit]") {
  const Sketch dwarf;
  const PlanRequest request = parse_plan("paper");
  const auto problems = plan_problems(dwarf, request, {}, {});
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].size == "paper");
  CHECK(make_plan(dwarf, problems[0], roomy_device(), request).size() == 2);
  const auto second = make_plan(dwarf, problems[1], roomy_device(), request);
  REQUIRE(second.size() == 2);
  CHECK(second[1].config.integer("work_group") == 8);
}

TEST_CASE("unknown plans and sizes are named together with what there is", "[unit]") {
  CHECK_THROWS_WITH(parse_plan("random:0"),
                    "there is no plan 'random:0'; there are baseline, one-at-a-time, full, random:N, "
                    "stratified:N (N from 1), paper, best, corners, transfer and ci");
  CHECK_THROWS_WITH(configs(parse_plan("full"), "huge"),
                    "sketch has no size 'huge'; it has small, large, paper");
}

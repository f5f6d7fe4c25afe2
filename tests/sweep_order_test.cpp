// What a sweep measures when, and for how long; which candidates it measures again.
#include <algorithm>
#include <set>

#include "suite/engine/best_candidate.hpp"
#include "suite/engine/measure_group.hpp"
#include "suite/sweep/sweep_queue.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

SweepPoint make_point(const std::string& config, std::optional<std::string> rejected = {}) {
  PointRequest request;
  request.config = Config::parse(config);
  return {.request = request, .key = {}, .rejected = std::move(rejected)};
}

// plain: three axes with 4, 2 and 1 values other than the default; fast: one axis with 3.
std::vector<SweepPoint> planned_points() {
  std::vector<SweepPoint> points = {make_point("variant=plain;work_group=1;unroll=1;padding=0")};
  for (const char* config : {"work_group=2;unroll=1;padding=0", "work_group=4;unroll=1;padding=0",
                             "work_group=8;unroll=1;padding=0", "work_group=16;unroll=1;padding=0",
                             "work_group=1;unroll=2;padding=0", "work_group=1;unroll=4;padding=0",
                             "work_group=1;unroll=1;padding=1"}) {
    points.push_back(make_point(std::string("variant=plain;") + config));
  }
  points.push_back(make_point("variant=fast;work_group=64", "too large for the device"));
  for (const char* config : {"32", "16", "8", "4"})
    points.push_back(make_point(std::string("variant=fast;work_group=") + config));
  return points;
}

std::vector<GroupLoad> loads_of(const std::vector<int>& spent_seconds) {
  std::vector<GroupLoad> groups;
  for (const int spent : spent_seconds) groups.push_back({0, seconds(spent), 1, 1});
  return groups;
}

}  // namespace

TEST_CASE("the baseline and each variant's first legal point come first", "[unit][sweep]") {
  const std::vector<SweepPoint> points = planned_points();
  const PointOrder order = order_points(points, 1);
  CHECK(order.first == std::vector<std::size_t>{0, 9});
  std::set<std::size_t> all(order.first.begin(), order.first.end());
  all.insert(order.rest.begin(), order.rest.end());
  CHECK(all.size() == 12);
  CHECK(all.count(8) == 0);
  CHECK(order.first.size() + order.rest.size() == 12);
}

TEST_CASE("every axis of every variant gets a point before any gets its second", "[unit][sweep]") {
  const std::vector<SweepPoint> points = planned_points();
  std::set<std::vector<std::size_t>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const PointOrder order = order_points(points, seed);
    std::vector<int> axes;  // 0 work_group, 1 unroll, 2 padding, 3 work_group of fast
    for (const std::size_t i : order.rest) axes.push_back(i <= 4 ? 0 : i <= 6 ? 1 : i == 7 ? 2 : 3);
    CHECK(std::set<int>(axes.begin(), axes.begin() + 4).size() == 4);
    CHECK(std::set<int>(axes.begin() + 4, axes.begin() + 7) == std::set<int>{0, 1, 3});
    CHECK(order_points(points, seed).rest == order.rest);
    orders.insert(order.rest);
  }
  CHECK(orders.size() > 10);
}

TEST_CASE("where the baseline is slow, others are paired with the fastest default", "[unit][sweep]") {
  SweepGroup group;
  const auto add = [&](const char* config, double run_ns) {
    SweepPoint point = make_point(config);
    group.points.push_back({.request = point.request,
                            .key = {"d", "lud", "small", "n=240", config},
                            .baseline = group.points.empty(),
                            .state = PointState::verified,
                            .run_ns = run_ns});
  };
  add("variant=tiled;work_group=16", 4000);
  add("variant=blocked;work_group=16", 900);
  add("variant=dataflow;work_group=16", 950);
  add("variant=blocked;work_group=32", 100);
  group.order = order_points(group.points, 1);
  // The fastest of all is no default: it is one of many.
  CHECK(choose_anchor(group) == 1U);
  group.points[2].run_ns = 800;
  CHECK(choose_anchor(group) == 2U);
  group.points[2].state = PointState::lost;
  CHECK(choose_anchor(group) == 1U);
  group.points[1].run_ns = 1000;  // not more than four times as fast
  CHECK_FALSE(choose_anchor(group));
  group.points[1].run_ns = 999;
  CHECK(choose_anchor(group) == 1U);
  group.takes_anchor = false;
  CHECK_FALSE(choose_anchor(group));

  CHECK(group.reference_of(group.points[3]) == &group.points[0]);
  group.anchor = 1;
  CHECK(group.reference_of(group.points[3]) == &group.points[1]);
  CHECK(group.reference_of(group.points[1]) == &group.points[0]);
  CHECK(group.reference_of(group.points[0]) == &group.points[0]);
  group.points[1].state = PointState::lost;
  CHECK(group.reference_of(group.points[3]) == &group.points[0]);
}

TEST_CASE("time is shared fairly, whatever was spent", "[unit][sweep]") {
  CHECK(fair_share(loads_of({0, 0, 0, 0}), seconds(40)) == seconds(10));
  // Who has had more than the others' level gets nothing.
  CHECK(fair_share(loads_of({60, 0, 0}), seconds(30)) == seconds(0));
  CHECK(fair_share(loads_of({0, 60, 0}), seconds(30)) == seconds(15));
  // Level 20: 10 for the first, 20 for each of the others.
  CHECK(fair_share(loads_of({10, 0, 0}), seconds(50)) == seconds(10));
  CHECK(fair_share(loads_of({5}), seconds(7)) == seconds(7));
  CHECK(fair_share(loads_of({0, 0}), seconds(0)) == seconds(0));
  CHECK(fair_share({}, seconds(5)) == seconds(0));
}

TEST_CASE("the rest of a quick group goes to the slow ones, and no slow one gets more than its share",
          "[unit][sweep]") {
  // Four groups of three points each that need so much a point; 60 s for all.
  const std::vector<milliseconds> point_time = {seconds(1), seconds(2), seconds(10), seconds(10)};
  std::vector<GroupLoad> groups;
  for (const milliseconds& each : point_time) groups.push_back({0, each, 1, 3});
  const std::vector<std::size_t> turns = turns_by_need(groups, 0);
  CHECK(turns == std::vector<std::size_t>{0, 1, 2, 3});
  std::vector<GroupLoad> to_come;
  for (const std::size_t turn : turns) to_come.push_back(groups[turn]);
  milliseconds left = seconds(60);
  std::vector<milliseconds> used;
  for (std::size_t i = 0; i < to_come.size(); ++i) {
    const milliseconds share = fair_share(std::span(to_come).subspan(i), left);
    used.push_back(std::min(share, to_come[i].need()));
    left -= used.back();
  }
  CHECK(used == std::vector<milliseconds>{seconds(3), seconds(6), milliseconds(25500), milliseconds(25500)});
}

TEST_CASE("turns go device by device, the open one first", "[unit][sweep]") {
  std::vector<GroupLoad> groups = {{0, seconds(9), 1, 5},
                                   {0, seconds(1), 1, 5},
                                   {2, seconds(4), 2, 1},
                                   {2, seconds(1), 1, 1},
                                   {2, seconds(0), 1, 0}};
  CHECK(turns_by_need(groups, 0) == std::vector<std::size_t>{1, 0, 3, 2});
  CHECK(turns_by_need(groups, 2) == std::vector<std::size_t>{3, 2, 1, 0});
}

TEST_CASE("a candidate holds up where nothing else may be faster", "[unit][sweep]") {
  const auto again = [](double ratio, double low, double high) {
    return Speedup{ratio, low, high, low > 1 ? Verdict::faster : Verdict::within_noise};
  };
  std::vector<Candidate> candidates = {{2.0, {}}, {3.0, {}}, {1.5, {}}, {2.5, {}}};
  CHECK(next_to_remeasure(candidates) == 1U);
  candidates[1].remeasured = again(2.9, 2.8, 3.0);
  CHECK(holds_up(candidates, 1));
  CHECK_FALSE(next_to_remeasure(candidates));
  // Its interval does not exclude the next one.
  candidates[1].remeasured = again(2.6, 2.4, 2.8);
  CHECK_FALSE(holds_up(candidates, 1));
  CHECK(next_to_remeasure(candidates) == 3U);
  // The next one does no better: what was measured again counts, not the estimate.
  candidates[3].remeasured = again(2.2, 2.1, 2.3);
  CHECK(holds_up(candidates, 1));
  CHECK_FALSE(next_to_remeasure(candidates));
  // Neither is better than the third: at most so many are tried.
  candidates[1].remeasured = again(1.9, 1.8, 2.0);
  candidates[3].remeasured = again(1.8, 1.7, 1.9);
  CHECK(next_to_remeasure(candidates) == 0U);
  candidates[0].remeasured = again(1.85, 1.7, 2.0);
  CHECK_FALSE(next_to_remeasure(candidates));
}

TEST_CASE("a candidate no faster than the baseline does not hold up", "[unit][sweep]") {
  std::vector<Candidate> one = {{1.2, Speedup{1.05, 0.99, 1.1, Verdict::within_noise}}};
  CHECK_FALSE(holds_up(one, 0));
  CHECK_FALSE(next_to_remeasure(one));
  CHECK_FALSE(next_to_remeasure({}));
}

TEST_CASE("a point that was not run is no failure", "[unit][sweep]") {
  for (const Status status : {Status::ok, Status::rejected, Status::unsupported, Status::not_run})
    CHECK_FALSE(is_failure(status));
  for (const Status status : {Status::build_failed, Status::launch_failed, Status::wrong_result,
                              Status::timed_out, Status::crashed, Status::out_of_memory}) {
    CHECK(is_failure(status));
    CHECK(status_from_string(to_string(status)) == status);
  }
  CHECK(to_string(Status::not_run) == "not_run");
  CHECK(status_from_string("not_run") == Status::not_run);
}

TEST_CASE("preparing may take more of a turn where measuring needs less", "[unit]") {
  const double usual = preparing_part(0, 0);  // nothing was measured
  CHECK(usual < 0.5);
  CHECK(preparing_part(8, 5) == usual);
  CHECK(preparing_part(8, 6) > usual);
  CHECK(preparing_part(8, 8) == preparing_part(8, 6));
}

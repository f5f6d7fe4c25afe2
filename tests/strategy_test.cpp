// Strategies: what they may propose, and that they find something.
#include <algorithm>
#include <cmath>
#include <set>

#include "suite/search/random_search.hpp"
#include "suite/search/recorded_space.hpp"
#include "suite/search/replay.hpp"
#include "suite/search/search_parameters.hpp"
#include "suite/search/strategy.hpp"
#include "suite/search/time_model.hpp"
#include "tests/catch.hpp"
#include "tests/recorded_tables.hpp"

using namespace dwarfsweep;

namespace {

std::vector<PointNumber> proposals(const RecordedSpace& space, const std::string& name, std::size_t count,
                                   std::uint64_t seed) {
  const auto strategy = make_strategy(name, {space, {}, count, seed});
  std::vector<PointNumber> points;
  while (points.size() < count) {
    const auto proposal = strategy->next();
    if (!proposal) break;
    points.push_back(proposal->point);
    strategy->tell({proposal->point, space.time(proposal->point), proposal->proposer});
  }
  return points;
}

}  // namespace

TEST_CASE("every strategy proposes legal points, each once, and ends with the space", "[unit]") {
  const RecordedSpace space(test::valley());
  for (const std::string& name : strategy_names()) {
    INFO(name);
    const auto points = proposals(space, name, 2 * space.points().size(), 5);
    CHECK(points.size() == space.points().size());
    CHECK(std::set<PointNumber>(points.begin(), points.end()).size() == points.size());
    for (const PointNumber point : points) CHECK(space.is_legal(point));
  }
}

TEST_CASE("the seed decides what a strategy proposes", "[unit]") {
  const RecordedSpace space(test::valley());
  for (const std::string& name : strategy_names()) {
    INFO(name);
    CHECK(proposals(space, name, 60, 7) == proposals(space, name, 60, 7));
    // Those two look at the whole of a small space, in their own order.
    if (name != "exhaustive" && name != "carve")
      CHECK(proposals(space, name, 60, 7) != proposals(space, name, 60, 8));
  }
}

TEST_CASE("searches that follow what they find are better than random on a smooth space", "[unit]") {
  std::vector<RecordedSpace> spaces;
  spaces.emplace_back(test::valley());
  const auto results = replay(spaces, {{"random", "local", "genetic", "auto"}, {100}, 40, 1, 2});
  REQUIRE(results.size() == 4);
  CHECK(results[0].score == 0);
  for (std::size_t i = 1; i < results.size(); ++i) {
    INFO(results[i].strategy);
    CHECK(results[i].score > 0.1);
    CHECK(results[i].within_2_percent > results[0].within_2_percent);
  }
  CHECK(results[3].within_2_percent > 0.9);
}

TEST_CASE("a search that gets all results again continues as if it had not been interrupted", "[unit]") {
  const RecordedSpace space(test::valley());
  const auto whole = proposals(space, "auto", 120, 3);
  const auto strategy = make_strategy("auto", {space, {}, 120, 3});
  for (const PointNumber point : whole) {
    const auto proposal = strategy->next();
    REQUIRE(proposal);
    REQUIRE(proposal->point == point);
    strategy->tell({point, space.time(point), proposal->proposer});
  }
  CHECK(strategy->archive().evaluations().size() == 120);
}

TEST_CASE("a search begins with all variants about equally often, then the defaults", "[unit]") {
  // One variant has one point in twenty.
  RecordedTable table{"variants", {"variant", "a", "b"}, {}, true};
  const auto add = [&](const char* variant, int count) {
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < count; ++b) table.rows.push_back({{variant, a, b}, 1.0 + a + b});
    }
  };
  add("small", 5);
  add("large", 95);
  const RecordedSpace space(table);
  const std::size_t drawn = search_parameters.initial_points;
  for (const char* name : {"local", "genetic", "auto"}) {
    std::size_t small = 0;
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
      INFO(name << ", seed " << seed);
      // In auto the genetic search takes turns with the two defaults.
      const auto points = proposals(space, name, drawn + 3 * search_parameters.batch, seed);
      for (std::size_t i = 0; i < drawn; ++i)
        small += space.values(points[i]).string("variant") == "small" ? 1 : 0;
      for (const SpacePart& part : space.parts())
        CHECK(std::ranges::find(points, *part.default_point) != points.end());
    }
    INFO(name);
    CHECK(small >= drawn);  // of five times as many; uniformly it would be five
    CHECK(small <= 3 * drawn);
  }
}

TEST_CASE("a local search that starts anew draws few points", "[unit]") {
  const RecordedSpace space(test::valley());
  const auto strategy = make_strategy("local", {space, {}, 0, 3});
  std::vector<std::size_t> restarts;  // the points drawn for each
  std::string last;
  while (const auto proposal = strategy->next()) {
    const std::string proposer = proposal->proposer;
    if (proposer == "random") {
      if (last != "random") restarts.push_back(0);
      ++restarts.back();
    }
    last = proposer;
    strategy->tell({proposal->point, space.time(proposal->point), proposal->proposer});
  }
  REQUIRE(restarts.size() > 1);
  CHECK(restarts.front() == search_parameters.restart_points);
}

TEST_CASE("known points come first, and the next ones are announced", "[unit]") {
  const RecordedSpace space(test::valley());
  const PointNumber known = space.points()[17];
  for (const char* name : {"local", "genetic", "auto"}) {
    INFO(name);
    const auto strategy = make_strategy(name, {space, {known}, 50, 3});
    const auto first = strategy->next();
    REQUIRE(first);
    CHECK(first->point == known);
    strategy->tell({known, space.time(known), first->proposer});
    const std::vector<PointNumber> ahead = strategy->upcoming(3);
    REQUIRE(ahead.size() == 3);
    CHECK(strategy->next()->point == ahead[0]);
  }
}

TEST_CASE("what follows no results is planned as far ahead as points are built ahead", "[unit]") {
  const RecordedSpace space(test::valley());
  for (const char* name : {"random", "exhaustive", "carve"}) {
    INFO(name);
    const auto strategy = make_strategy(name, {space, {}, 0, 3});
    for (std::size_t left = space.points().size(); left > 0; --left) {
      const auto proposal = strategy->next();
      REQUIRE(proposal);
      strategy->tell({proposal->point, space.time(proposal->point), proposal->proposer});
      CHECK(strategy->upcoming(1000).size() >= std::min(left - 1, search_parameters.planned_ahead));
    }
    CHECK_FALSE(strategy->next());
  }
}

TEST_CASE("a search that has the baseline's result still begins with the known points", "[unit]") {
  const RecordedSpace space(test::valley());
  const PointNumber baseline = space.points()[3];
  const PointNumber known = space.points()[17];
  for (const char* name : {"local", "genetic", "auto"}) {
    INFO(name);
    const auto strategy = make_strategy(name, {space, {known}, 50, 3});
    strategy->tell({baseline, space.time(baseline), "baseline"});
    const auto first = strategy->next();
    REQUIRE(first);
    CHECK(first->point == known);
    CHECK(std::string(first->proposer) == "initial");
  }
}

TEST_CASE("the exact expectation of random search is what simulation gives", "[unit]") {
  const std::vector<double> times = {1, 1.5, 2, 2, 4, 8, 9, 20};
  constexpr std::size_t points = 11;  // three failed
  const RandomSearch random(times, points);
  Random numbers(23);
  constexpr int repeats = 40000;
  for (const std::size_t draws : {1U, 2U, 3U, 7U, 11U}) {
    double sum = 0;
    double squares = 0;
    int within = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      std::vector<std::size_t> order(points);
      for (std::size_t i = 0; i < points; ++i) order[i] = i;
      numbers.shuffle(order);
      double best = times.back();
      for (std::size_t i = 0; i < draws; ++i) {
        if (order[i] < times.size()) best = std::min(best, times[order[i]]);
      }
      sum += best;
      squares += best * best;
      within += best <= 1.5 ? 1 : 0;
    }
    const double mean = sum / repeats;
    const double error = std::sqrt(std::max(0.0, squares / repeats - mean * mean) / repeats);
    INFO(draws << " draws");
    CHECK(std::abs(mean - random.expected_best(draws)) <= 4 * error + 1e-9);
    const double share = static_cast<double>(within) / repeats;
    CHECK(std::abs(share - random.probability_within(1.5, draws)) <= 4 * 0.5 / std::sqrt(repeats));
  }
  CHECK(random.expected_best(1) == Approx((1 + 1.5 + 2 + 2 + 4 + 8 + 9 + 20 + 3 * 20) / 11.0));
  CHECK(random.median_best(11) == 1);
  CHECK(random.median_best(1) == 8);
}

TEST_CASE("the forest distinguishes samples, and is certain of those it has seen", "[unit]") {
  Samples samples{2};
  for (std::uint32_t x = 0; x < 8; ++x) {
    for (std::uint32_t y = 0; y < 8; ++y) {
      samples.values.insert(samples.values.end(), {x, y});
      samples.targets.push_back(x < 4 ? 1.0 : static_cast<double>(y));
    }
  }
  Random random(1);
  const RegressionForest forest(samples, 20, 2, random);
  const std::vector<std::uint32_t> left = {2, 6};
  const std::vector<std::uint32_t> right = {6, 6};
  CHECK(forest.predict(left).mean == Approx(1.0));
  CHECK(forest.predict(right).mean == Approx(6.0));
  CHECK(forest.predict(right).deviation == Approx(0).margin(1e-6));
}

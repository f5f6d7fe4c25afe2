// Races, finals and searches on synthetic devices whose true times are known.
#include <algorithm>
#include <cmath>

#include "harness/space/error.hpp"
#include "suite/tune/finals.hpp"
#include "suite/tune/race.hpp"
#include "suite/tune/search_loop.hpp"
#include "tests/catch.hpp"
#include "tests/synthetic_search.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

namespace {

double unlimited() {
  return 1;
}

// All points of the table raced in their order, the first as the baseline.
RaceState race_all(SyntheticSite& site, std::size_t points) {
  RaceState state;
  for (std::size_t i = 0; i < points; ++i) race(site, site.index_of(PointNumber(i)), RaceRules(), state);
  return state;
}

// Time over 100 ns of a bowl in two axes with a tie at its bottom; one point in twelve fails.
RecordedTable bowl() {
  RecordedTable table{"bowl", {"x", "y"}, {}};
  for (int x = 0; x < 12; ++x) {
    for (int y = 0; y < 8; ++y) {
      const bool fails = (5 * x + 3 * y) % 12 == 7;
      const double time = 100.0 + 8.0 * std::abs(x - 7) + (y == 4 ? 0.1 : 5.0 * std::abs(y - 3));
      table.rows.push_back(
          {{Value(std::int64_t(x)), Value(std::int64_t(y))}, fails ? std::nullopt : std::optional(time)});
    }
  }
  return table;
}

struct Outcome {
  std::vector<std::string> evaluated;
  FinalResult result;
  std::string best;
  std::vector<std::string> tied;
};

Outcome search(SyntheticSite& site, const std::vector<EvaluationRecord>& known, std::size_t evaluations) {
  const auto strategy = make_strategy("auto", {site.space(), {}, 0, 3});
  const RaceRules rules;
  SearchLoop loop(site, *strategy, rules);
  site.written = known;
  loop.restore(known);
  loop.run({evaluations, 0});
  Outcome outcome;
  for (const EvaluationRecord& each : site.written) outcome.evaluated.push_back(each.key.config);
  outcome.result =
      run_finals(site, loop.state().standings, loop.state().noise.deviation(), FinalRules(), unlimited);
  if (outcome.result.best)
    outcome.best = site.space().values(*site.number_of(*outcome.result.best)).to_string();
  for (const FinalComparison& each : outcome.result.tied) outcome.tied.push_back(site.config_of(each.point));
  return outcome;
}

}  // namespace

TEST_CASE("A point that takes more than twice as long costs one sample", "[unit][tune]") {
  SyntheticSite site(table_of({100, 230, 150}), 0.02, 1);
  RaceState state;
  race(site, 0, RaceRules(), state);
  const std::size_t before = site.samples();
  CHECK(race(site, site.index_of(PointNumber(1)), RaceRules(), state).outcome == RaceOutcome::screened);
  CHECK(site.samples() == before + 1);
  CHECK(race(site, site.index_of(PointNumber(2)), RaceRules(), state).outcome == RaceOutcome::dropped);
  CHECK(site.pairs_of(2) <= 3);
  CHECK(state.standings.incumbent()->point == 0);
}

TEST_CASE("What is faster follows the incumbent, and the scale holds through drift", "[unit][tune]") {
  int right = 0;
  double worst = 0;
  constexpr int trials = 100;
  for (int seed = 0; seed < trials; ++seed) {
    SyntheticSite site(table_of({100, 80, 60, 45}), 0.02, static_cast<std::uint64_t>(seed), 0.1);
    const RaceState state = race_all(site, 4);
    right += state.standings.incumbent()->point == 3 ? 1 : 0;
    const double ratio = std::exp(state.standings.find(0)->log_cost - state.standings.find(3)->log_cost);
    worst = std::max(worst, std::abs(std::log(ratio / (100.0 / 45))));
  }
  CHECK(right == trials);
  CHECK(worst < 0.15);  // a drift of 10 % a block would be far more
}

TEST_CASE("A race seldom drops what is faster, and seldom crowns what is not", "[unit][tune]") {
  int dropped = 0;
  int crowned = 0;
  constexpr int trials = 400;
  for (int seed = 0; seed < trials; ++seed) {
    SyntheticSite faster(table_of({100, 96}), 0.03, static_cast<std::uint64_t>(seed));
    dropped += race_all(faster, 2).standings.find(1)->contends ? 0 : 1;
    SyntheticSite equal(table_of({100, 100}), 0.03, static_cast<std::uint64_t>(seed));
    crowned += race_all(equal, 2).standings.incumbent()->point == 1 ? 1 : 0;
  }
  INFO("dropped " << dropped << ", crowned " << crowned << " of " << trials);
  CHECK(dropped < 0.03 * trials);
  CHECK(crowned < 0.06 * trials);
}

TEST_CASE("The scale does not drift away over many incumbents on a noisy device", "[unit][tune]") {
  double sum = 0;
  constexpr int trials = 40;
  for (int seed = 0; seed < trials; ++seed) {
    SyntheticSite site(table_of(std::vector<std::optional<double>>(60, 100.0)), 0.2,
                       static_cast<std::uint64_t>(seed));
    sum += race_all(site, 60).standings.incumbent()->log_cost - std::log(100.0);
  }
  INFO("mean error of the logarithm " << sum / trials);
  CHECK(std::abs(sum / trials) < 0.25);
}

TEST_CASE("An incumbent that fails is followed by the fastest of the others", "[unit][tune]") {
  SyntheticSite site(table_of({100, 50, 90, 85}), 0.01, 4);
  RaceState state = race_all(site, 3);
  REQUIRE(state.standings.incumbent()->point == 1);
  site.break_down(1);
  CHECK(race(site, site.index_of(PointNumber(3)), RaceRules(), state).outcome == RaceOutcome::faster);
  CHECK(state.standings.find(1) == nullptr);
  CHECK(state.standings.incumbent()->point == 3);
}

TEST_CASE("A point that fails is out, and the first that runs leads", "[unit][tune]") {
  SyntheticSite site(table_of({std::nullopt, std::nullopt, 90}), 0.01, 4);
  const RaceState state = race_all(site, 3);
  CHECK(state.standings.find(0) == nullptr);
  CHECK(state.standings.incumbent()->point == 2);
}

TEST_CASE("The finals find the best of many that are close, and what is tied with it", "[unit][tune]") {
  constexpr int trials = 60;
  int best = 0;
  int tied_found = 0;
  int slow_tied = 0;
  int covered = 0;
  for (int seed = 0; seed < trials; ++seed) {
    SyntheticSite site(table_of({200, 100, 100, 104, 108, 100, 112, 116, 120, 150}), 0.03,
                       static_cast<std::uint64_t>(seed), 0.02);
    RaceState state = race_all(site, 10);
    const FinalResult result =
        run_finals(site, state.standings, state.noise.deviation(), FinalRules(), unlimited);
    REQUIRE(result.best);
    const auto is_equal = [](std::size_t point) { return point == 1 || point == 2 || point == 5; };
    best += is_equal(*result.best) ? 1 : 0;
    for (const FinalComparison& each : result.tied) {
      tied_found += is_equal(each.point) ? 1 : 0;
      slow_tied += site.true_time(each.point) >= 112 ? 1 : 0;
    }
    REQUIRE(result.speedup);
    const double truth = 200 / site.true_time(*result.best);
    covered += result.speedup->low <= truth && truth <= result.speedup->high ? 1 : 0;
  }
  INFO("best " << best << ", tied " << tied_found << ", slow " << slow_tied << ", covered " << covered
               << " of " << trials);
  CHECK(best >= 0.95 * trials);
  CHECK(tied_found >= 0.8 * 2 * trials);
  CHECK(slow_tied <= 0.02 * trials);
  CHECK(covered >= 0.88 * trials);
}

TEST_CASE("A race with a far slower incumbent needs no pairs", "[unit][tune]") {
  SyntheticSite site(table_of({1000, 100, 60}), 0.03, 5);
  const RaceState state = race_all(site, 3);
  CHECK(site.pairs_of(1) == 0);
  CHECK(site.pairs_of(2) > 0);
  CHECK(state.standings.incumbent()->point == 2);
  CHECK(state.standings.find(1)->error >= 0.05);  // what a single pair may be wrong by
}

TEST_CASE("Without time the finals still give an answer", "[unit][tune]") {
  SyntheticSite site(table_of({200, 100, 101, 102}), 0.03, 5);
  RaceState state = race_all(site, 4);
  const FinalResult result =
      run_finals(site, state.standings, state.noise.deviation(), FinalRules(), [] { return 0.0; });
  REQUIRE(result.best);
  REQUIRE(result.speedup);
  CHECK(result.tied.size() == 2);  // one block each distinguishes nothing
}

TEST_CASE("A search killed at any call ends as an undisturbed one", "[unit][tune]") {
  constexpr std::size_t evaluations = 40;
  SyntheticSite undisturbed(bowl(), 0.02, 9);
  const Outcome expected = search(undisturbed, {}, evaluations);
  REQUIRE(expected.evaluated.size() == evaluations + 1);
  CHECK((expected.best == "x=7;y=3" || expected.best == "x=7;y=4"));
  CHECK(undisturbed.expected > 0);
  CHECK_FALSE(expected.tied.empty());
  int most_kills = 0;
  for (const int calls : {1, 2, 7, 30, 61}) {
    std::vector<EvaluationRecord> known;
    Outcome outcome;
    int kills = 0;
    for (bool over = false; !over;) {
      SyntheticSite site(bowl(), 0.02, 9);
      site.kill_after(calls + 10 * kills);  // later and later, so that it comes to its end
      try {
        outcome = search(site, known, evaluations);
        over = true;
      } catch (const Killed&) {
        ++kills;
      }
      known = site.written;
    }
    INFO("killed " << kills << " times");
    CHECK(kills > 0);
    CHECK(outcome.evaluated == expected.evaluated);
    CHECK(outcome.best == expected.best);
    CHECK(outcome.tied == expected.tied);
    most_kills = std::max(most_kills, kills);
    CHECK(outcome.result.speedup->ratio == expected.result.speedup->ratio);
  }
  CHECK(most_kills >= 5);
}

TEST_CASE("A search ends where its time is used up, but for what the finals need", "[unit][tune]") {
  SyntheticSite site(bowl(), 0.02, 9);  // a second for each evaluation, two for the finals
  const auto strategy = make_strategy("random", {site.space(), {}, 0, 3});
  const RaceRules rules;
  SearchLoop loop(site, *strategy, rules);
  loop.run({0, 20});
  CHECK(site.written.size() == 18);
  CHECK(loop.evaluations() == 17);
}

TEST_CASE("A log that the strategy would not have made is refused", "[unit][tune]") {
  SyntheticSite site(bowl(), 0.02, 9);
  (void)search(site, {}, 12);
  std::vector<EvaluationRecord> records = site.written;
  std::swap(records[5].key, records[6].key);
  SyntheticSite again(bowl(), 0.02, 9);
  CHECK_THROWS_AS(search(again, records, 20), UsageError);
  records = site.written;
  records.erase(records.begin() + 4);
  SyntheticSite third(bowl(), 0.02, 9);
  CHECK_THROWS_AS(search(third, records, 20), UsageError);
}

TEST_CASE("The noise of pairs is followed, whatever a few disturbed samples look like", "[unit][tune]") {
  for (const double deviation : {0.002, 0.02, 0.2}) {
    PairNoise noise;
    Random random(3);
    for (int block = 0; block < 200; ++block) {
      std::vector<double> ratios;
      for (int i = 0; i < 5; ++i)
        ratios.push_back(deviation * random.normal() + (random.uniform01() < 0.03 ? 1 : 0));
      noise.add(ratios);
    }
    CHECK(noise.deviation() > deviation / 1.6);
    CHECK(noise.deviation() < deviation * 1.6);
  }
}

TEST_CASE("A ratio is of spans only where both have one", "[unit][tune]") {
  CHECK(log_ratio({100, 300}, {50, 300}) == std::log(2.0));
  CHECK(log_ratio({100, 300}, {0, 150}) == std::log(2.0));
  const RunTimes times = median_times({{{}, {10, 20}}, {{}, {0, 30}}, {{}, {30, 40}}}, &PairTimes::own);
  CHECK(times.span_ns == 0);
  CHECK(times.wall_ns == 30);
}

// Searches by energy, and by time and energy, on synthetic devices whose true times and energies are known.
#include <cmath>

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

// The faster by x, the more power it takes: least energy and least time lie far apart. y only costs.
SyntheticSite site_with_energy(std::uint64_t seed) {
  RecordedTable table{"energy", {"x", "y"}, {}};
  for (int x = 0; x < 10; ++x) {
    for (int y = 0; y < 5; ++y)
      table.rows.push_back({{Value(std::int64_t(x)), Value(std::int64_t(y))}, 200.0 - 12.0 * x + 10.0 * y});
  }
  return {table, 0.01, seed};
}

double joules_at(const ValueMap& values) {
  return 3.0 + 0.02 * std::pow(static_cast<double>(values.at("x").integer()), 2.0) -
         0.08 * static_cast<double>(values.at("x").integer()) +
         0.2 * static_cast<double>(values.at("y").integer());
}

}  // namespace

TEST_CASE("A search by energy finds the least energy, not the least time", "[unit][tune]") {
  SyntheticSite site = site_with_energy(3);
  site.true_joules = joules_at;
  const auto strategy = make_strategy("auto", {site.space(), {}, 0, 3});
  const RaceRules rules = race_rules(Objective::energy, 0.02);
  SearchLoop loop(site, *strategy, rules);
  loop.run({40, 0});
  const FinalResult result = run_finals(site, loop.state().standings, loop.state().noise.deviation(),
                                        final_rules(Objective::energy, 0.02, 1), unlimited);
  REQUIRE(result.best);
  const double least = joules_at(ValueMap::parse("x=2;y=0"));
  CHECK(joules_at(site.space().values(*site.number_of(*result.best))) < 1.02 * least);
  REQUIRE(result.saving);
  CHECK(result.saving->low <= joules_at(ValueMap::parse("x=0;y=0")) / least);
  for (const EvaluationRecord& each : site.written) {
    INFO(each.key.config);
    CHECK(each.joules.has_value() == (each.outcome != "screened"));
    if (each.joules)
      CHECK(std::abs(std::log(*each.joules / joules_at(ValueMap::parse(each.key.config)))) < 0.1);
  }
}

TEST_CASE("A search by time and energy finds their Pareto front", "[unit][tune]") {
  SyntheticSite site = site_with_energy(4);
  site.true_joules = joules_at;
  const auto strategy = make_strategy("exhaustive", {site.space(), {}, 0, 3});
  const RaceRules rules = race_rules(Objective::both, 0.02);
  SearchLoop loop(site, *strategy, rules);
  loop.run({60, 0});
  const FinalRules last = final_rules(Objective::both, 0.02, 1);
  const FinalResult result =
      run_finals(site, loop.state().standings, loop.state().noise.deviation(), last, unlimited);
  REQUIRE(result.best);
  const std::vector<FrontMember> front =
      find_front(site, loop.state().standings, *result.best, last, unlimited);
  REQUIRE(front.size() >= 3);
  for (std::size_t i = 0; i < front.size(); ++i) {
    const ValueMap values = site.space().values(*site.number_of(front[i].point));
    INFO(values.to_string());
    CHECK(values.at("y").integer() <= 1);  // nothing else makes a point both slow and hungry
    CHECK(values.at("x").integer() >= 1);
    if (i > 0) CHECK(front[i].by_energy.ratio > front[i - 1].by_energy.ratio * 0.99);
  }
  CHECK(front.front().by_time.ratio >= 1);
  CHECK(front.back().by_energy.ratio >= 1);
}

TEST_CASE("If the device reports no energy, a race by energy fails", "[unit][tune]") {
  SyntheticSite site = site_with_energy(5);
  RaceState state;
  CHECK(race(site, 0, race_rules(Objective::energy, 0.02), state).outcome == RaceOutcome::failed);
}

TEST_CASE("A search by energy that is killed ends as an undisturbed one", "[unit][tune]") {
  const auto run = [](SyntheticSite& site, const std::vector<EvaluationRecord>& known) {
    site.true_joules = joules_at;
    const auto strategy = make_strategy("auto", {site.space(), {}, 0, 3});
    const RaceRules rules = race_rules(Objective::both, 0.02);
    SearchLoop loop(site, *strategy, rules);
    site.written = known;
    loop.restore(known);
    loop.run({25, 0});
  };
  SyntheticSite undisturbed = site_with_energy(6);
  run(undisturbed, {});
  std::vector<EvaluationRecord> known;
  int kills = 0;
  for (bool over = false; !over;) {
    SyntheticSite site = site_with_energy(6);
    site.kill_after(11 + 4 * kills);
    try {
      run(site, known);
      over = true;
    } catch (const Killed&) {
      ++kills;
    }
    known = site.written;
  }
  CHECK(kills >= 5);
  REQUIRE(known.size() == undisturbed.written.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    CHECK(known[i].key.config == undisturbed.written[i].key.config);
    CHECK(known[i].value == undisturbed.written[i].value);
    CHECK(known[i].outcome == undisturbed.written[i].outcome);
  }
}

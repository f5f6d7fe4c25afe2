// Which logs a search is resumed from, and which are refused in one sentence.
#include <functional>

#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/recorded_tables.hpp"
#include "tests/synthetic_search.hpp"

using namespace dwarfsweep;
using test::SyntheticSite;

namespace {

std::vector<EvaluationRecord> made_search() {
  SyntheticSite site(test::valley(), 0.02, 1);
  const auto strategy = make_strategy("auto", {site.space(), {}, 0, 3});
  const RaceRules rules;
  SearchLoop(site, *strategy, rules).run({12, 0});
  return site.written;
}

// What the search says to that log; empty: it resumes.
std::string refusal(const std::vector<EvaluationRecord>& records) {
  SyntheticSite site(test::valley(), 0.02, 1);
  const auto strategy = make_strategy("auto", {site.space(), {}, 0, 3});
  const RaceRules rules;
  SearchLoop loop(site, *strategy, rules);
  try {
    loop.restore(records);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a search is not resumed from races in a circle, whose errors would add up for ever", "[unit]") {
  const std::vector<EvaluationRecord> records = made_search();
  REQUIRE(records.size() == 13);
  CHECK(refusal(records).empty());
  const auto is_raced = [](const EvaluationRecord& each) { return each.time_ns && !each.opponent.empty(); };
  const auto first = std::find_if(records.begin(), records.end(), is_raced);
  const auto second = std::find_if(first + 1, records.end(), is_raced);
  REQUIRE(second != records.end());
  const auto with_opponent = [&](auto which, const std::string& opponent) {
    std::vector<EvaluationRecord> changed = records;
    changed[static_cast<std::size_t>(which - records.begin())].opponent = opponent;
    return refusal(changed);
  };
  const std::string config = second->key.config;
  CHECK_THAT(with_opponent(first, config), test::contains("was raced against " + config + ", which was not"));
  CHECK_THAT(with_opponent(first, first->key.config), test::contains("which was not evaluated before"));
  std::vector<EvaluationRecord> twice = records;
  twice.insert(twice.begin() + 1, records.front());
  CHECK_THAT(refusal(twice), test::contains("is of a point that was evaluated before"));
}

TEST_CASE("a search is not resumed from numbers that none has written", "[unit]") {
  const std::vector<EvaluationRecord> records = made_search();
  const auto changed = [&](const std::function<void(EvaluationRecord&)>& change) {
    std::vector<EvaluationRecord> some = records;
    change(some.front());
    return refusal(some);
  };
  CHECK_THAT(
      changed([](auto& record) { record.time_ns = 1e300; }),
      test::contains("evaluation 0 in its log has time_ns=1e+300, which must be above 0 and at most 1e+18"));
  CHECK_THAT(changed([](auto& record) { record.time_ns = 0; }), test::contains("time_ns=0"));
  CHECK_THAT(changed([](auto& record) { record.incumbent_span_ns = 1e300; }),
             test::contains("incumbent_span_ns="));
  CHECK_THAT(changed([](auto& record) { record.incumbent_wall_ns = -1; }),
             test::contains("incumbent_wall_ns=-1"));
  CHECK_THAT(changed([](auto& record) { record.noise = 0; }), test::contains("noise=0"));
  CHECK_THAT(changed([](auto& record) { record.error = -1; }), test::contains("error=-1"));
  CHECK_THAT(changed([](auto& record) { record.planned = -1; }), test::contains("planned=-1"));
  CHECK_THAT(changed([](auto& record) { record.blocks = -1; }), test::contains("blocks=-1"));
  CHECK_THAT(changed([](auto& record) { record.outcome = "won"; }),
             test::contains("has the unknown outcome 'won'"));
}

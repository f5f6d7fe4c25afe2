// A run written as a recorded space, and read back.
#include "suite/search/space_csv.hpp"

#include <algorithm>

#include "harness/space/error.hpp"
#include "suite/search/read_space.hpp"
#include "tests/catch.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;

namespace {

// lud on one device alone.
RunLog one_space() {
  RunLog log = make_synthetic_run();
  const auto is_other = [](const PointKey& key) { return key.dwarf != "lud" || key.device_id != "fast"; };
  log.order.erase(std::remove_if(log.order.begin(), log.order.end(), is_other), log.order.end());
  return log;
}

}  // namespace

TEST_CASE("a run is written as a space that a replay reads back", "[unit]") {
  const RunLog log = one_space();
  const std::string text = space_csv(log, "made up");
  const RecordedTable table = parse_space_csv("lud", "lud.csv", text);
  const RecordedSpace space(table);
  REQUIRE(table.rows.size() == 3);  // granularity 4 was rejected
  CHECK(space.time(space.first_point()));
  CHECK(space.values(space.first_point()).integer("granularity") == 1);
  for (const RecordedTable::Row& row : table.rows) {
    REQUIRE(row.time);
    CHECK(row.facts.benchmark_ms);
    CHECK(row.facts.verify_ms);
    CHECK_FALSE(row.facts.group_size);  // its axes are not those of this program's lud
  }
  // The times are those of the run's own table.
  const RecordedSpace direct(spaces_of_run(make_rows(log).measurements).front());
  CHECK(direct.sorted_times() == space.sorted_times());
}

TEST_CASE("a run of several spaces is not written as one", "[unit]") {
  CHECK_THROWS_WITH(
      space_csv(make_synthetic_run(), "runs/x"),
      test::contains("--format space is for a run of one dwarf, problem and device; 'runs/x' has "));
  RunLog none = one_space();
  none.order.clear();
  CHECK_THROWS_WITH(space_csv(none, "runs/x"), test::contains("'runs/x' has none"));
}

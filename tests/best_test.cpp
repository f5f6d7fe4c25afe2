#include "suite/plan/best.hpp"

#include <algorithm>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;

TEST_CASE("every point in best.csv is a legal one of its dwarf", "[unit]") {
  REQUIRE_FALSE(best_points().empty());
  for (const BestPoint& point : best_points()) {
    CAPTURE(point.device, point.dwarf, point.problem, point.config);
    const Space& space = find_dwarf(point.dwarf).space();
    const Config settings = Config::parse(point.config);
    const Config config = space.set(space.baseline(), settings);
    for (const auto& [axis, value] : settings.entries()) CHECK(config.at(axis) == value);
  }
}

TEST_CASE("the fastest verified point of a run is its best, and comes back from CSV", "[unit]") {
  const RunRows rows = make_rows(make_synthetic_run());
  const std::vector<BestPoint> best = find_best(rows.measurements);
  REQUIRE_FALSE(best.empty());
  for (const BestPoint& point : best) {
    for (const MeasurementRow& row : rows.measurements) {
      if (row.device == point.device && row.dwarf == point.dwarf && row.problem == point.problem &&
          row.kernel == "total" && row.status == "ok" && row.median_ns && row.device_type != "host") {
        CHECK(*point.median_ns <= *row.median_ns);
      }
    }
  }
  CHECK(to_csv(parse_best("again", to_csv(best))) == to_csv(best));
}

TEST_CASE("what leaves out part of the result is not the best, however fast", "[unit]") {
  const auto row = [](const char* variant, double median_ns) {
    MeasurementRow made;
    made.dwarf = "needle";
    made.kernel = "total";
    made.status = "ok";
    made.variant = variant;
    made.median_ns = median_ns;
    return made;
  };
  const std::vector<BestPoint> best = find_best(
      {row("wavefront", 300), row("score_only", 100), row("strip", 200), row("score_only_scan", 90)});
  REQUIRE(best.size() == 1);
  CHECK(best.front().config == "variant=strip");
  CHECK(gives_whole_result("needle", "scan"));
  CHECK(gives_whole_result("a dwarf of another version", "score_only"));
}

TEST_CASE("whole runs rank, and the re-measured point first", "[unit]") {
  const auto row = [](const char* variant, std::int64_t schema, double median_ns, double wall_ns,
                      const char* stop_reason) {
    MeasurementRow made;
    made.schema_version = schema;
    made.dwarf = "kmeans";
    made.kernel = "total";
    made.status = "ok";
    made.variant = variant;
    made.median_ns = median_ns;
    made.wall_ns = wall_ns;
    made.stop_reason = stop_reason;
    return made;
  };
  // assign_only has the least time in kernels, and a host that takes its time.
  const MeasurementRow kernels = row("assign_only", 1, 9000, 140000, "confirmed");
  const MeasurementRow fused = row("fused", 1, 13500, 30800, "converged");
  CHECK(find_best({kernels, fused}).front().config == "variant=fused");
  CHECK(find_best({kernels, fused}).front().median_ns == 30800);
  const MeasurementRow lucky = row("reduce", 2, 29000, 35000, "rounds");
  const MeasurementRow again = row("fused", 2, 32000, 38000, "confirmed");
  CHECK(find_best({fused, lucky}).front().config == "variant=fused");  // 30.8 us of wall time against 35
  CHECK(find_best({kernels, lucky}).front().config == "variant=reduce");
  CHECK(find_best({again, kernels, lucky}).front().median_ns == 32000);
  CHECK(find_best({lucky, again}).front().config == "variant=fused");
}

TEST_CASE("every variant that leaves something out is one, and none is the baseline", "[unit]") {
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    const Axis& axis = dwarf->space().find("variant");
    for (const std::string& variant : dwarf->info().partial_variants) {
      CAPTURE(dwarf->info().name, variant);
      CHECK(std::count(axis.values.begin(), axis.values.end(), Value(variant)) == 1);
      CHECK(axis.baseline != Value(variant));
    }
  }
}

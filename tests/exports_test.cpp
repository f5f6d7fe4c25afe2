// The formats of other tools: what their readers require.
#include "suite/output/exports.hpp"

#include <sstream>

#include "harness/error.hpp"
#include "suite/record/json.hpp"
#include "suite/record/run_log.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;

namespace {

Json exported(const std::string& format) {
  const test::ScratchDirectory scratch;
  write_synthetic_log(scratch.path() / log_name);
  std::ostringstream out;
  print_export(out, format, {scratch.path()});
  return Json::parse(out.str());
}

}  // namespace

TEST_CASE("T4 has one result for each point, with its samples and the reason where it is invalid",
          "[exports]") {
  const Json t4 = exported("t4");
  CHECK(t4.at("schema_version") == "1.0.0");
  CHECK(t4.at("metadata").at("timeunit") == "nanoseconds");
  REQUIRE(t4.at("results").size() == 12);
  std::map<std::string, int> invalidities;
  for (const Json& result : t4.at("results")) {
    for (const char* field :
         {"timestamp", "configuration", "times", "invalidity", "correctness", "measurements"}) {
      CHECK(result.contains(field));
    }
    const bool correct = result.at("invalidity") == "correct";
    CHECK(result.at("correctness") == (correct ? 1 : 0));
    CHECK(result.at("times").at("runtimes").size() == (correct ? 25U : 0U));
    CHECK(result.at("measurements").empty() == !correct);
    ++invalidities[result.at("invalidity")];
  }
  CHECK(invalidities == std::map<std::string, int>{{"correct", 8}, {"constraints", 2}, {"compile", 2}});
  const Json& configuration = t4.at("results").at(1).at("configuration");
  CHECK(configuration.at("granularity") == 2);  // a number, not a string
  CHECK(configuration.at("direction") == "x");
  CHECK(configuration.at("dwarf") == "lud");
}

TEST_CASE("samples of a point that turned out wrong are no run times", "[exports]") {
  RunLog log = make_synthetic_run();
  for (auto& [key, point] : log.points) point.preparation.status = Status::wrong_result;
  RunRows rows = make_rows(log);
  RunData run;
  run.measurements = rows.measurements;
  run.samples = rows.samples;
  const Json t4 = to_t4({run});
  REQUIRE(t4.at("results").size() == 12);
  for (const Json& result : t4.at("results")) {
    CHECK(result.at("invalidity") == "correctness");
    CHECK(result.at("times").at("runtimes").empty());
  }
  const Json benchmarks = to_google_benchmark({run}).at("benchmarks");
  REQUIRE(benchmarks.size() == 12);
  for (const Json& entry : benchmarks) CHECK(entry.at("error_occurred") == true);
}

TEST_CASE("Google Benchmark has every sample as a repetition, and failures as errors", "[exports]") {
  const Json json = exported("google-benchmark");
  CHECK(json.at("context").at("json_schema_version") == 1);
  CHECK(json.at("context").at("host_name") == "pretended");
  const std::string name =
      "lud/n=240/total/"
      "variant=tiled;work_group=16;granularity=2;vector_width=1;unroll=1;padding=0;direction=x/"
      "Fast GPU, model 2";
  int repetitions = 0;
  int aggregates = 0;
  int errors = 0;
  for (const Json& entry : json.at("benchmarks")) {
    for (const char* field :
         {"name", "run_name", "run_type", "real_time", "cpu_time", "time_unit", "iterations"}) {
      CHECK(entry.contains(field));
    }
    errors += entry.contains("error_occurred") ? 1 : 0;
    if (entry.at("run_name") != name) continue;
    if (entry.at("run_type") == "iteration") {
      CHECK(entry.at("repetition_index") == repetitions);
      CHECK(entry.at("real_time").get<double>() == Approx(60000).epsilon(0.016));
      CHECK(entry.at("iterations") == 2);
      ++repetitions;
    } else {
      CHECK(entry.at("name") == name + "_" + entry.at("aggregate_name").get<std::string>());
      ++aggregates;
    }
  }
  CHECK(repetitions == 25);
  CHECK(aggregates == 3);
  CHECK(errors == 4);
}

TEST_CASE("exports need the folder of a run", "[exports]") {
  std::ostringstream out;
  CHECK_THROWS_AS(print_export(out, "t4", {"nowhere"}), UsageError);
  CHECK(is_export_format("t4"));
  CHECK_FALSE(is_export_format("text"));
}

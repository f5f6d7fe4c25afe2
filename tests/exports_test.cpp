// The formats of other tools: what their readers require. results/readers/ tries the readers themselves.
#include "suite/exports/exports.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/space/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/json.hpp"
#include "suite/record/run_log.hpp"
#include "suite/search/recorded_space.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;

namespace {

RunData run_of(const RunLog& log) {
  RunRows rows = make_rows(log);
  RunData run;
  run.host = log.run.host.name;
  run.revision = log.run.revision;
  run.timestamp = log.run.timestamp;
  run.measurements = std::move(rows.measurements);
  run.samples = std::move(rows.samples);
  return run;
}

RunLog synthetic_without(const std::string& device) {
  RunLog log = make_synthetic_run();
  std::erase_if(log.order, [&](const PointKey& key) { return key.device_id == device; });
  return log;
}

RunData with_status(const std::string& status) {
  RunData run = run_of(make_synthetic_run());
  for (MeasurementRow& row : run.measurements) row.status = status;
  return run;
}

Json json_of(const Export& made) {
  return Json::parse(made.files.at(0).text);
}

CsvTable table_of(const Export& made, const std::string& name) {
  for (const ExportFile& file : made.files) {
    if (file.name == name) return parse_csv(name, file.text);
  }
  throw std::runtime_error("there is no " + name);
}

const std::string config_of_two =
    "variant=tiled;work_group=16;granularity=2;vector_width=1;unroll=1;padding=0;direction=x";
// As in cells of two devices of the same name.
void rename_device(RunData& run, const std::string& id, const std::string& name) {
  for (MeasurementRow& row : run.measurements) {
    if (row.device_id == id) row.device = name;
  }
}

}  // namespace

TEST_CASE("T4 has one result for each point, with its samples and the reason where it is invalid",
          "[unit][exports]") {
  const Json t4 = json_of(to_t4(arrange_export({run_of(make_synthetic_run())})));
  CHECK(t4.at("schema_version") == "1.0.0");
  CHECK(t4.at("metadata").at("timeunit") == "miliseconds");
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
    CHECK(result.at("times").at("compilation") == result.at("times").at("compilation_time"));
    CHECK(result.at("measurements").at(0).at("value").is_number() == correct);
    ++invalidities[result.at("invalidity")];
  }
  CHECK(invalidities == std::map<std::string, int>{{"correct", 8}, {"constraints", 2}, {"compile", 2}});
  const Json& second = t4.at("results").at(1);
  CHECK(second.at("configuration").at("granularity") == 2);  // a number, not a string
  CHECK(second.at("configuration").at("direction") == "x");
  CHECK(second.at("configuration").at("dwarf") == "lud");
  CHECK(second.at("measurements").at(0).at("value").get<double>() == Approx(0.06).epsilon(0.016));
  CHECK(second.at("times").at("compilation") == 5);
}

TEST_CASE("samples of a point that turned out wrong are no run times", "[unit][exports]") {
  const ExportData data = arrange_export({with_status("wrong_result")});
  const Json t4 = json_of(to_t4(data));
  for (const Json& result : t4.at("results")) {
    CHECK(result.at("invalidity") == "correctness");
    CHECK(result.at("times").at("runtimes").empty());
  }
  const Json benchmarks = json_of(to_google_benchmark(data)).at("benchmarks");
  CHECK_FALSE(benchmarks.empty());
  for (const Json& entry : benchmarks) CHECK(entry.at("error_occurred") == true);
}

TEST_CASE("Google Benchmark has every sample as a repetition, and failures as errors", "[unit][exports]") {
  const Json json = json_of(to_google_benchmark(arrange_export({run_of(make_synthetic_run())})));
  CHECK(json.at("context").at("json_schema_version") == 1);
  CHECK(json.at("context").at("host_name") == "pretended");
  const std::string name = "lud/n=240/total/" + config_of_two + "/Fast GPU, model 2";
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
  CHECK(errors == 2);  // crc; what is rejected is no failure
}

TEST_CASE("Kernel Tuner's cache has an entry for each combination of the values", "[unit][exports]") {
  const Export made = to_kernel_tuner(arrange_export({run_of(synthetic_without("slow"))}));
  REQUIRE(made.files.size() == 2);  // crc and lud
  const Json cache = Json::parse(made.files.at(1).text);
  CHECK(cache.at("device_name") == "Fast GPU, model 2");
  CHECK(cache.at("kernel_name") == "lud");
  CHECK(cache.at("problem_size") == Json::array({240}));
  CHECK(cache.at("tune_params").at("granularity") == Json::array({1, 2, 4}));
  CHECK(cache.at("tune_params").at("variant") == Json::array({"blocked", "tiled"}));
  REQUIRE(cache.at("cache").size() == 6);
  const Json& two = cache.at("cache").at("tiled,16,2,1,1,0,x");
  CHECK(two.at("time").get<double>() == Approx(0.06).epsilon(0.016));
  CHECK(two.at("times").size() == 25);
  CHECK(two.at("granularity") == 2);
  CHECK(cache.at("cache").at("tiled,16,4,1,1,0,x").at("time") == "InvalidConfig");
  CHECK(cache.at("cache").at("blocked,16,4,1,1,0,x").at("status") == "not in this run");
  CHECK(Json::parse(made.files.at(0).text).at("cache").at("per_byte,256").at("time") ==
        "CompilationFailedConfig");
  for (const Json& entry : cache.at("cache")) {
    for (const char* cost : {"compile_time", "verification_time", "benchmark_time"})
      CHECK(entry.at(cost).is_number());
  }
  CHECK(made.files.at(1).text.ends_with("}\n}\n}\n"));  // else it is no closed cache
  REQUIRE(made.notes.size() == 1);
  CHECK(made.notes[0].find("4 of the 6 combinations") != std::string::npos);
  const test::ScratchDirectory scratch;
  const RecordedTable back = read_spaces(scratch.file(made.files.at(1).name, made.files.at(1).text)).at(0);
  CHECK(back.parameters.size() == 7);
  CHECK(back.rows.size() == 6);
}

TEST_CASE("github-action-benchmark has one entry for each point that is ok", "[unit][exports]") {
  const Export made = to_github_action_benchmark(arrange_export({run_of(make_synthetic_run())}));
  const Json list = json_of(made);
  REQUIRE(list.size() == 6);
  for (const Json& entry : list) {
    CHECK(entry.at("unit") == "ns");
    CHECK(entry.at("value").is_number());
    CHECK(entry.at("range").get<std::string>().starts_with("± "));
  }
  CHECK(list.at(1).at("name") == "lud/n=240/" + config_of_two + "/Fast GPU, model 2");
  REQUIRE(made.notes.size() == 1);
  CHECK(made.notes[0].find("2 points failed") != std::string::npos);
}

TEST_CASE("LNT's report is of one machine, in seconds", "[unit][exports]") {
  RunData run = run_of(make_synthetic_run());
  const Json report = json_of(to_lnt(arrange_export({run})));
  CHECK(report.at("format_version") == "2");
  CHECK(report.at("machine").at("name") == "pretended");
  CHECK(report.at("run").at("llvm_project_revision") == "abc");
  CHECK(report.at("run").at("start_time") == "2026-01-02T03:04:05");
  REQUIRE(report.at("tests").size() == 8);
  CHECK(report.at("tests").at(0).at("execution_time").size() == 25);
  CHECK(report.at("tests").at(0).at("compile_time") == Approx(0.005));
  CHECK(report.at("tests").at(7).at("compile_status") == 1);
  for (MeasurementRow& row : run.measurements) row.problem = "n=" + std::string(400, '9');
  CHECK(json_of(to_lnt(arrange_export({run}))).at("tests").at(0).at("name").get<std::string>().size() == 256);
  RunData other = run;
  for (MeasurementRow& row : other.measurements) row.host = "another";
  CHECK_THROWS_WITH(to_lnt(arrange_export({run, other})), test::contains("of 2 hosts"));
}

TEST_CASE("a FOM line is four words and a number", "[unit][exports]") {
  RunData run = run_of(make_synthetic_run());
  const Export made = to_fom(arrange_export({run}));
  std::istringstream lines(made.files.at(0).text);
  std::string fom, dwarf, size, device;
  double ns = 0;
  REQUIRE(lines >> fom >> dwarf >> size >> device >> ns);
  CHECK(fom + " " + dwarf + " " + size + " " + device == "FOM lud small Fast_GPU,_model_2");
  CHECK(ns == Approx(40000).epsilon(0.02));  // blocked, the fastest
  REQUIRE(lines >> fom >> dwarf >> size >> device >> ns);
  CHECK(device == "Slow_CPU");
  CHECK_FALSE(lines >> fom);
  CHECK(made.notes.size() == 2);  // crc on either device
  RunData larger = run;
  for (MeasurementRow& row : larger.measurements) row.problem = "n=480";
  const std::string both = to_fom(arrange_export({run, larger})).files.at(0).text;
  CHECK(both.find("FOM lud n=240 Slow_CPU ") != std::string::npos);
  CHECK(both.find("FOM lud n=480 Slow_CPU ") != std::string::npos);
}

TEST_CASE("p3 has the applications that were tried on every platform", "[unit][exports]") {
  RunData run = run_of(make_synthetic_run());
  for (MeasurementRow& row : run.measurements) {
    if (row.peak_fraction || row.status == "ok") row.peak_fraction = row.variant == "blocked" ? 1.5 : 0.5;
    if (row.device_id == "slow" && row.granularity == "2") {
      row.status = "build_failed";
      row.median_ns.reset();
    }
  }
  const Export made = to_p3(arrange_export({run}));
  const CsvTable table = table_of(made, "lud-n=240.csv");
  CHECK(table.header ==
        std::vector<std::string>{"problem", "platform", "application", "fom", "app eff", "arch eff"});
  std::map<std::string, std::vector<std::string>> cells;  // by application and platform
  for (const CsvTable::Row& row : table.rows) {
    CHECK(row.cells[0] == "lud n=240");
    cells[row.cells[2] + " on " + row.cells[1]] = {row.cells[3], row.cells[4], row.cells[5]};
  }
  REQUIRE(cells.size() == 6);  // granularity 4 runs nowhere
  using Cells = std::vector<std::string>;
  CHECK(cells.at("granularity=2 on Slow CPU") == Cells{"", "0", "0"});
  CHECK(cells.at("variant=blocked on Slow CPU")[1] == "1");
  CHECK(cells.at("variant=blocked on Slow CPU")[2].empty());  // above 1
  CHECK(cells.at("baseline on Slow CPU")[2] == "0.5");
  CHECK(std::stod(cells.at("baseline on Fast GPU, model 2")[1]) == Approx(4.0 / 11).epsilon(0.02));
  CHECK(table_of(made, "app-eff/lud-n=240.csv").header.size() == 5);
  REQUIRE(made.notes.size() == 2);
  CHECK(made.notes[0].find("1 of 3 applications are left out of 'arch eff'") != std::string::npos);
  CHECK(made.notes[0].find("variant=blocked (1.5 on ") != std::string::npos);
  CHECK(made.notes[1].find("crc bytes=2000: no setting") != std::string::npos);

  // Asked on one platform only: absence would read as failure there.
  std::erase_if(run.measurements,
                [](const auto& row) { return row.device_id == "fast" && row.granularity == "2"; });
  const Export less = to_p3(arrange_export({run}));
  CHECK(table_of(less, "lud-n=240.csv").rows.size() == 4);
  CHECK(less.notes[0].find("1 settings were not tried on every platform") != std::string::npos);
}

TEST_CASE("p3 has sixteen applications at most", "[unit][exports]") {
  RunData run = run_of(make_synthetic_run());
  const MeasurementRow pattern = test::lud_row(run.measurements, "fast", "tiled", "2", "total");
  for (int i = 0; i < 40; ++i) {
    run.measurements.push_back(pattern);
    run.measurements.back().padding = std::to_string(i + 1);
    run.measurements.back().median_ns = *pattern.median_ns + i;
  }
  std::erase_if(run.measurements, [](const auto& row) { return row.device_id != "fast"; });
  const CsvTable table = table_of(to_p3(arrange_export({run})), "lud-n=240.csv");
  REQUIRE(table.rows.size() == 16);
  CHECK(table.rows[0].cells[2] == "baseline");
  CHECK(table.rows[1].cells[2] == "variant=blocked");
}

TEST_CASE("names of devices and points are distinct, and cannot break a format", "[unit][exports]") {
  RunData run = run_of(make_synthetic_run());
  const std::string hostile = "=cmd(\"x\"),\t<b>'\xff/../..\n";
  rename_device(run, "fast", hostile);
  rename_device(run, "slow", hostile);
  const ExportData data = arrange_export({run});
  std::set<std::string> devices;
  for (const ExportRow& row : data.rows) devices.insert(row.device);
  CHECK(devices.size() == 3);
  CHECK(json_of(to_t4(data)).at("results").size() == 12);
  CHECK(json_of(to_lnt(data)).at("tests").size() == 8);
  CHECK(to_fom(data).files.at(0).text.find("FOM lud small =cmd(\"x\"),_<b>'") == 0);
  const Export p3 = to_p3(data);
  CHECK(table_of(p3, "lud-n=240.csv").rows.size() == 6);
  for (const ExportFile& file : to_kernel_tuner(data).files) {
    CHECK(file.name.find_first_of("/\"<>'\n\t ") == std::string::npos);
    CHECK(file.name.front() != '.');
  }
  CHECK(file_stem("../x") == "_..-x");
  CHECK(file_stem(std::string(500, 'a')).size() == 120);
  CHECK(file_stem("") == "_");
}

TEST_CASE("a point that several runs have is there once: the last that is ok", "[unit][exports]") {
  const RunData first = run_of(make_synthetic_run());
  RunData second = first;
  for (MeasurementRow& row : second.measurements) {
    if (row.median_ns) row.median_ns = *row.median_ns * 2;
    if (row.granularity == "2") {
      row.status = "timed_out";
      row.median_ns.reset();
    }
  }
  const Json list = json_of(to_github_action_benchmark(arrange_export({first, second})));
  REQUIRE(list.size() == 6);
  CHECK(list.at(0).at("value").get<double>() == Approx(2 * 110000).epsilon(0.016));
  CHECK(list.at(1).at("value").get<double>() == Approx(60000).epsilon(0.016));
}

TEST_CASE("a run with nothing to export gets one sentence", "[unit][exports]") {
  const auto refused = [](Export (*make)(const ExportData&), const RunData& run) {
    CHECK_THROWS_AS(make(arrange_export({run})), UsageError);
  };
  for (const auto make :
       {to_t4, to_kernel_tuner, to_google_benchmark, to_github_action_benchmark, to_lnt, to_fom, to_p3}) {
    refused(make, RunData{});
    refused(make, with_status("not_run"));
  }
  for (const auto make : {to_github_action_benchmark, to_fom, to_p3}) refused(make, with_status("crashed"));
  for (const auto make : {to_google_benchmark, to_lnt}) refused(make, with_status("rejected"));
}

TEST_CASE("exports go to the requested place", "[unit][exports]") {
  const test::ScratchDirectory scratch;
  write_synthetic_log((scratch.path() / log_name).string());
  std::ostringstream out, notes;
  const auto write = [&](const char* format, const std::string& folder) {
    write_export({out, notes, folder}, format, {scratch.path()});
  };
  write("t4", "");
  CHECK(Json::parse(out.str()).at("results").size() == 12);
  const std::string folder = (scratch.path() / "out").string();
  CHECK_THROWS_WITH(write("p3", ""), test::contains("needs --out DIR"));
  CHECK_THROWS_WITH(write("fom", folder), test::contains("--out is for"));
  CHECK_THROWS_WITH(write("kernel-tuner", ""), test::contains("these runs have 4"));
  write("kernel-tuner", folder);
  write("p3", folder);
  CHECK(std::filesystem::exists(scratch.path() / "out" / "lud-n=240.csv"));
  CHECK(std::filesystem::exists(scratch.path() / "out" / "applications.txt"));
  CHECK_THROWS_AS(write_export({out, notes, ""}, "t4", {"nowhere"}), UsageError);
  CHECK(is_export_format("lnt"));
  CHECK_FALSE(is_export_format("text"));
}

// Comparison of two runs: what is slower, what fails now, what cannot be compared.
#include "suite/compare/compare.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "harness/space/error.hpp"
#include "suite/commands/documents.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::contains;
using test::point_of;

namespace {

RunData data_of(const RunLog& log) {
  RunRows rows = make_rows(log);
  return {"a run",
          log.run.run_id,
          log.run.revision,
          log.run.host.name,
          log.run.timestamp,
          log.run.host.threads,
          std::move(rows.measurements),
          std::move(rows.samples)};
}

void scale(RunLog& log, const std::string& device, const std::string& part, double factor) {
  for (auto& [key, blocks] : log.blocks) {
    if (key.find(device + "|") != 0 || key.find(part) == std::string::npos) continue;
    for (BlockRecord& block : blocks) {
      for (BlockSample& taken : block.samples) {
        for (KernelTime& time : taken.sample.kernels) time.ns *= factor;
        taken.sample.span_ns *= factor;
        taken.sample.wall_ns *= factor;
      }
    }
  }
}

}  // namespace

TEST_CASE("a run against itself is within noise", "[compare]") {
  const RunData run = data_of(make_synthetic_run());
  const Comparison same = compare_runs(run, run);
  CHECK(same.points.size() == 12);
  CHECK(same.count(Change::within_noise) == 8);
  CHECK(same.count(Change::incomparable) == 4);  // failed in both
  CHECK(same.differences.empty());
  CHECK_FALSE(same.is_worse());
  CHECK(same.exit_status() == 0);
}

TEST_CASE("a run with anchors is compared with one before them", "[compare]") {
  RunData before = data_of(make_synthetic_run());
  for (MeasurementRow& row : before.measurements) row.reference = row.speedup ? "baseline" : "";
  RunLog log = make_anchored_run();
  const Comparison same = compare_runs(before, data_of(log));
  CHECK(same.points.size() == 12);
  CHECK(same.count(Change::within_noise) == 8);
  CHECK(same.differences.empty());
  scale(log, "fast", "granularity=2", 1.5);
  CHECK(compare_runs(before, data_of(log)).count(Change::slower) == 1);
}

TEST_CASE("what became slower, faster, failing or fixed is reported", "[compare]") {
  RunLog log = make_synthetic_run();
  const RunData before = data_of(log);
  scale(log, "fast", "granularity=2", 1.5);
  scale(log, "slow", "variant=blocked", 0.5);
  point_of(log, "slow", "granularity=2").preparation.status = Status::crashed;
  PointRecord& failed = point_of(log, "fast", "granularity=4");
  failed.preparation.status = Status::ok;
  log.devices.at("slow").info.driver = "2.0";
  for (auto& [key, point] : log.points) point.driver = "2.0";
  log.run.revision = "def";
  const RunData after = data_of(log);
  const Comparison comparison = compare_runs(before, after);
  CHECK(comparison.count(Change::slower) == 1);
  CHECK(comparison.count(Change::faster) == 1);
  CHECK(comparison.count(Change::failing) == 1);
  CHECK(comparison.count(Change::fixed) == 1);
  CHECK(comparison.is_worse());
  REQUIRE(comparison.points.front().change == Change::slower);
  CHECK(comparison.points.front().ratio->ratio == Approx(1 / 1.5).epsilon(0.001));
  CHECK(comparison.points.front().setting == "granularity=2");
  const std::string text = to_text(comparison);
  INFO(text);
  CHECK_THAT(text, contains("1 slower, 1 failing now, 1 faster, 1 fixed,"));
  CHECK_THAT(text, contains("0.667x"));
  CHECK_THAT(text, contains("revision of program and kernels: 'abc' before, 'def' now"));
  CHECK_THAT(text, contains("driver of Slow CPU: '1.0' before, '2.0' now"));
  const Json report = to_json_report(comparison);
  CHECK(report.at("worse") == true);
  CHECK(report.at("counts").at("slower") == 1);
  CHECK(report.at("counts").at("mended") == 1);  // its name in JSON
  CHECK(report.at("points").size() == 12);
}

TEST_CASE("sums of kernel times and times of whole runs are not compared", "[compare]") {
  RunLog log = make_synthetic_run();
  const RunData whole = data_of(log);
  log.run.schema = 1;
  const RunData kernels = data_of(log);
  CHECK_THROWS_WITH(compare_runs(kernels, whole),
                    contains("schema version 1") && contains("schema version 2"));
  CHECK(compare_runs(kernels, kernels).count(Change::within_noise) == 8);
}

TEST_CASE("points are matched although a dwarf has a new axis", "[compare]") {
  const RunData before = data_of(make_synthetic_run());
  RunData after = before;
  const auto with_axis = [](auto& rows) {
    for (auto& row : rows) {
      const bool other = row.device_id == "fast" && row.granularity == "2";
      row.options += (row.options.empty() ? "" : ";") + std::string(other ? "sync=flags" : "sync=auto");
    }
  };
  with_axis(after.measurements);
  with_axis(after.samples);
  const Comparison comparison = compare_runs(before, after);
  CHECK(comparison.points.size() == 11);
  CHECK(comparison.count(Change::within_noise) == 7);
  CHECK(comparison.only_before == 1);
  CHECK(comparison.only_after == 1);
  CHECK_THAT(to_text(comparison), contains("axis sync of lud: 'unknown' before, 'known' now"));
  CHECK(compare_runs(after, before).points.size() == 11);
}

TEST_CASE("a point that was not run for lack of budget has not failed", "[compare]") {
  const RunData before = data_of(make_synthetic_run());
  RunData after = before;
  for (auto& row : after.measurements) {
    if (row.device_id != "fast" || row.granularity != "2") continue;
    row.status = "not_run";
    row.stop_reason = "budget";
  }
  const Comparison comparison = compare_runs(before, after);
  CHECK(comparison.count(Change::failing) == 0);
  CHECK(comparison.count(Change::incomparable) == 5);
  CHECK_FALSE(comparison.is_worse());
  CHECK(compare_runs(after, before).count(Change::fixed) == 0);
}

TEST_CASE("times by two clocks are never compared", "[compare]") {
  RunLog log = make_synthetic_run();
  const RunData before = data_of(log);
  scale(log, "fast", "granularity=2", 10);
  point_of(log, "fast", "granularity=2").timer = "host";
  const RunData after = data_of(log);
  const Comparison comparison = compare_runs(before, after);
  CHECK(comparison.count(Change::slower) == 0);
  CHECK(comparison.count(Change::incomparable) == 5);
}

TEST_CASE("devices are matched by name, and another host is reported", "[compare]") {
  RunLog log = make_synthetic_run();
  const RunData before = data_of(log);
  RunData after = before;
  for (auto& row : after.measurements) row.device_id += "-elsewhere";
  for (auto& row : after.samples) row.device_id += "-elsewhere";
  after.host = "another";
  // "Slow CPU" is the name of two of the old devices: those cannot be distinguished.
  const Comparison comparison = compare_runs(before, after);
  CHECK(comparison.count(Change::within_noise) == 3);
  CHECK(comparison.only_before == 7);
  CHECK(comparison.only_after == 7);
  CHECK_THAT(to_text(comparison), contains("host: 'pretended' before, 'another' now"));
  for (auto& row : after.measurements) row.dwarf = "other";
  CHECK_THROWS_AS(compare_runs(before, after), UsageError);
}

TEST_CASE("a run is read from its files, or from its log alone", "[compare]") {
  const test::ScratchDirectory scratch;
  write_synthetic_log(scratch.path() / log_name);
  const RunData from_log = read_run(scratch.path());
  write_results(scratch.path(), read_log(scratch.path()));
  const RunData from_files = read_run(scratch.path());
  CHECK(to_csv(from_log.measurements) == to_csv(from_files.measurements));
  CHECK(to_csv(from_log.samples) == to_csv(from_files.samples));
  CHECK(from_log.revision == from_files.revision);
  CHECK(from_files.host == "pretended");
  const auto ids = [&] {
    std::string all;
    for (const DeviceInfo& device : read_run_devices(scratch.path())) all += device.id + ";";
    return all;
  };
  const std::string described = ids();
  CHECK(described.size() > 1);
  std::filesystem::remove(scratch.path() / "run.json");
  CHECK(ids() == described);
  CHECK_THROWS_WITH(read_run(scratch.path() / "missing"), contains("there is no run"));
  std::filesystem::create_directory(scratch.path() / "empty");
  CHECK_THROWS_WITH(read_run(scratch.path() / "empty"), contains("neither measurements.csv nor log.jsonl"));
  CHECK_THROWS_AS(read_run(scratch.file("run.json", "{}").parent_path()), InputError);
}

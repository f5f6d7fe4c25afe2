// From a log to rows: on a synthetic run, so that every number is known.
#include "suite/record/rows.hpp"

#include <cmath>
#include <limits>

#include "suite/record/row_csv.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::contains;
using test::lud_row;
using test::point_of;

TEST_CASE("a point becomes a row for each kernel, with its speedup over the baseline", "[output]") {
  const RunRows rows = make_rows(make_synthetic_run());
  const MeasurementRow& total = lud_row(rows.measurements, "fast", "tiled", "2", "total");
  CHECK(total.status == "ok");
  CHECK(total.samples == 25);
  CHECK(total.launches == 2);
  // 10000 + 100000 / 2 ns, times a drift and a scatter of up to 1.5 %.
  CHECK(*total.median_ns == Approx(60000).epsilon(0.016));
  CHECK(*total.ci_low_ns <= *total.median_ns);
  CHECK(*total.median_ns <= *total.ci_high_ns);
  CHECK(*total.speedup == Approx(110.0 / 60).epsilon(0.004));
  CHECK(total.verdict == "faster");
  CHECK(*total.gb_per_s == Approx(3e6 / *total.median_ns));
  CHECK(*total.items_per_s == Approx(57600 / *total.median_ns * 1e9));
  CHECK(total.local_bytes == 2048);
  CHECK(total.registers == 40);
  CHECK(total.build_ns == 5000000);
  CHECK(total.max_error == 1e-6);
  CHECK(total.options == "direction=x");
  CHECK(total.stop_reason == "converged");

  const MeasurementRow& internal = lud_row(rows.measurements, "fast", "tiled", "2", "internal");
  CHECK(*internal.speedup == Approx(2).epsilon(0.004));
  CHECK_FALSE(internal.build_ns);
  const MeasurementRow& diagonal = lud_row(rows.measurements, "fast", "tiled", "2", "diagonal");
  CHECK(diagonal.verdict == "within_noise");
  CHECK_FALSE(diagonal.registers);  // the driver reports none
  CHECK_FALSE(diagonal.bytes);      // the dwarf states none
  CHECK(lud_row(rows.measurements, "fast", "tiled", "1", "total").baseline);
  CHECK(lud_row(rows.measurements, "fast", "tiled", "1", "total").verdict == "within_noise");
}

TEST_CASE("a kernel that the baseline does not have has no speedup, but the total has", "[output]") {
  const RunRows rows = make_rows(make_synthetic_run());
  CHECK_FALSE(lud_row(rows.measurements, "fast", "blocked", "1", "trailing").speedup);
  CHECK(lud_row(rows.measurements, "fast", "blocked", "1", "trailing").median_ns);
  CHECK(*lud_row(rows.measurements, "fast", "blocked", "1", "total").speedup ==
        Approx(110.0 / 40).epsilon(0.004));
}

TEST_CASE("a point that was paired with an anchor has a speedup of two links", "[output]") {
  const RunLog log = make_anchored_run();
  const auto row_of = [](const RunLog& each, const char* kernel) {
    return lud_row(make_rows(each).measurements, "fast", "tiled", "2", kernel);
  };
  const std::string anchor = log.anchors.begin()->second.key.config;
  const MeasurementRow total = row_of(log, "total");
  CHECK(*total.speedup == Approx(110.0 / 60).epsilon(0.006));
  CHECK(*total.speedup_low <= *total.speedup);
  CHECK(*total.wall_speedup == Approx(111.0 / 61).epsilon(0.006));
  CHECK(total.reference == anchor);
  CHECK(lud_row(make_rows(log).measurements, "fast", "blocked", "1", "total").reference == "baseline");
  CHECK(lud_row(make_rows(log).measurements, "fast", "tiled", "1", "total").reference == "baseline");
  // Of kernels only if all three run them.
  CHECK(row_of(log, "diagonal").reference == anchor);
  CHECK_FALSE(row_of(log, "internal").speedup);
  CHECK(row_of(log, "internal").reference.empty());
  const RunRows rows = make_rows(log);
  const SpeedupRow& speedup = lud_row(rows.speedups, "fast", "tiled", "2", "total");
  CHECK(speedup.reference == anchor);
  CHECK(speedup.pairs == 25);
  CHECK(*speedup.baseline_median_ns == Approx(110000).epsilon(0.016));
  CHECK(*speedup.variant_median_ns == Approx(60000).epsilon(0.016));

  // The incumbent of a search is no anchor.
  RunLog search = log;
  search.anchors.clear();
  CHECK_FALSE(row_of(search, "total").speedup);
  // Nor is a point whose output was wrong in the end, or that another clock has timed.
  RunLog wrong = log;
  point_of(wrong, "fast", "variant=blocked").preparation.status = Status::wrong_result;
  CHECK_FALSE(row_of(wrong, "total").speedup);
  CHECK(row_of(wrong, "total").median_ns);
  RunLog other_clock = log;
  point_of(other_clock, "fast", "variant=blocked").timer = "host";
  CHECK_FALSE(row_of(other_clock, "total").speedup);
  // Re-measured against the baseline itself: that alone counts.
  RunLog again = log;
  const PointKey two = point_of(again, "fast", "granularity=2").key;
  for (int round = 5; round < 8; ++round) {
    const std::vector<std::pair<std::string, double>> fast = {{"diagonal", 10000}, {"internal", 45000}};
    BlockRecord block = make_block({two, round, fast, {{"diagonal", 10000}, {"internal", 100000}}});
    block.confirmation = true;
    again.blocks.at(two.text()).push_back(block);
  }
  CHECK(row_of(again, "total").reference == "baseline");
  CHECK(*row_of(again, "total").speedup == Approx(2).epsilon(0.006));
}

TEST_CASE("the interval of two links is wider than either", "[output]") {
  const auto width = [](const MeasurementRow& row) { return std::log(*row.speedup_high / *row.speedup_low); };
  const RunRows direct = make_rows(make_synthetic_run());
  const RunRows joined = make_rows(make_anchored_run());
  CHECK(width(lud_row(joined.measurements, "fast", "tiled", "2", "total")) >
        width(lud_row(direct.measurements, "fast", "blocked", "1", "total")));
}

TEST_CASE("a failure is one row with its reason and no number", "[output]") {
  const RunRows rows = make_rows(make_synthetic_run());
  const MeasurementRow& rejected = lud_row(rows.measurements, "slow", "tiled", "4", "total");
  CHECK(rejected.status == "rejected");
  CHECK(rejected.reason == "granularity, 4 of it, must divide the tile");
  CHECK_THROWS(lud_row(rows.measurements, "slow", "tiled", "4", "internal"));
  const std::string line = to_csv(std::vector<MeasurementRow>{rejected});
  // Ten columns of time statistics and twenty-two from wall_ns to verdict are empty.
  CHECK_THAT(line,
             contains(",rejected,\"granularity, 4 of it, must divide the tile\"" + std::string(11, ',') +
                      "failed" + std::string(23, ',') + "host,hot" + std::string(12, ',') + "\n"));
  // A wrong result that was found after the samples were taken: none of them counts.
  RunLog log = make_synthetic_run();
  PointRecord& wrong = point_of(log, "fast", "granularity=2");
  wrong.preparation.status = Status::wrong_result;
  wrong.preparation.check.max_error = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(lud_row(make_rows(log).measurements, "fast", "tiled", "2", "total").median_ns);
  // With a wrong baseline there are times but no speedups.
  point_of(log, "slow", "tiled;work_group=16;granularity=1").preparation.status = Status::crashed;
  const RunRows after = make_rows(log);
  CHECK(lud_row(after.measurements, "slow", "tiled", "2", "total").median_ns);
  CHECK_FALSE(lud_row(after.measurements, "slow", "tiled", "2", "total").speedup);
}

TEST_CASE("times by two timers give no speedup", "[output]") {
  RunLog log = make_synthetic_run();
  point_of(log, "fast", "granularity=2").timer = "host";
  const RunRows rows = make_rows(log);
  CHECK_FALSE(lud_row(rows.measurements, "fast", "tiled", "2", "total").speedup);
  CHECK(lud_row(rows.measurements, "fast", "blocked", "1", "total").speedup);
}

TEST_CASE("a sample with a fault is kept, counted and left out of the statistics", "[output]") {
  RunLog log = make_synthetic_run();
  const std::string key = point_of(log, "fast", "granularity=2").key.text();
  auto& samples = log.blocks.at(key).front().samples;
  const auto own = std::find_if(samples.begin(), samples.end(),
                                [](const BlockSample& taken) { return taken.role == PairRole::variant; });
  own->sample.fault = "END before START";
  for (KernelTime& time : own->sample.kernels) time.ns = 1e15;
  log.blocks.at(key).back().samples.back().sample.kernels.front().ns = 0;  // below the timer's resolution
  const std::size_t before = make_rows(make_synthetic_run()).samples.size();
  const RunRows rows = make_rows(log);
  CHECK(rows.samples.size() == before);
  const MeasurementRow& total = lud_row(rows.measurements, "fast", "tiled", "2", "total");
  CHECK(total.samples == 24);
  CHECK(total.reason == "1 of 25 samples dropped: END before START");
  CHECK(*total.mean_ns < 1e6);
  const SpeedupRow& speedup = lud_row(rows.speedups, "fast", "tiled", "2", "total");
  CHECK(speedup.blocks == 5);
  CHECK(speedup.pairs == 24);
  CHECK(lud_row(rows.speedups, "fast", "tiled", "2", "diagonal").pairs == 23);
}

TEST_CASE("what bounds a kernel follows from measured peaks", "[output]") {
  RunLog log = make_synthetic_run();
  const auto bound = [&] { return lud_row(make_rows(log).measurements, "fast", "tiled", "1", "total"); };
  // 3e6 bytes at 100 GB/s are 30 us of 110 us; 1e7 operations at 1000 Gop/s are 10 us; 5 enqueues cost 0.1
  // us.
  CHECK(bound().bound == "memory");
  CHECK(*bound().peak_fraction == Approx(30.0 / 110).epsilon(0.016));
  // Data that fits into the cache is compared with the cache's bandwidth.
  log.peaks["fast"].values["cached_read_gb_per_s"] = 300;
  CHECK(*bound().peak_fraction == Approx(30.0 / 110).epsilon(0.016));
  log.peaks["fast"].values["last_level_cache_bytes"] = 1 << 24;
  CHECK(*bound().peak_fraction == Approx(10.0 / 110).epsilon(0.016));
  log.peaks["fast"].values["last_level_cache_bytes"] = 0;
  // So it is with the bandwidth of reading at this size or a larger one, but not at a smaller one.
  log.peaks["fast"].values["read_4096_kib_gb_per_s"] = 200;
  CHECK(*bound().peak_fraction == Approx(15.0 / 110).epsilon(0.016));
  log.peaks["fast"].values["read_2048_kib_gb_per_s"] = 900;
  CHECK(*bound().peak_fraction == Approx(15.0 / 110).epsilon(0.016));
  log.peaks["fast"].values["read_4096_kib_gb_per_s"] = 0;
  log.peaks["fast"].values["gflop_per_s"] = 200;
  CHECK(bound().bound == "compute");
  CHECK(*bound().peak_fraction == Approx(50.0 / 110).epsilon(0.016));
  // lud counts operations in floating point: no other rate matters.
  log.peaks["fast"].values["gop_per_s"] = 50;
  log.peaks["fast"].values["logic_gop_per_s"] = 5000;
  CHECK(*bound().peak_fraction == Approx(50.0 / 110).epsilon(0.016));
  CHECK(bound().reason.empty());
  log.peaks["fast"].values["launch_ns"] = 20000;
  CHECK(bound().bound == "launch");
  CHECK(lud_row(make_rows(log).measurements, "slow", "tiled", "1", "total").bound.empty());
}

TEST_CASE("each dwarf's operations are held to the peak of their kind", "[output]") {
  for (const auto& [dwarf, operations_per_ns] : {std::pair("lud", 60.0), std::pair("needle", 30.0),
                                                 std::pair("crc", 20.0), std::pair("unknown", 60.0)}) {
    RunLog log;
    log.peaks["gpu"].values = {
        {"read_gb_per_s", 1000}, {"gflop_per_s", 60}, {"gop_per_s", 30}, {"logic_gop_per_s", 20}};
    MeasurementRow row;
    row.device_id = "gpu";
    row.dwarf = dwarf;
    row.median_ns = 10'000;
    row.operations = 60'000;
    add_bound(row, log, 1);
    INFO(dwarf);
    CHECK(row.bound == "compute");
    CHECK(*row.peak_fraction == Approx(60'000 / operations_per_ns / 10'000));
  }
}

TEST_CASE("a fraction of the peak above 1 says why", "[output]") {
  RunLog log;
  log.peaks["gpu"].values = {{"read_gb_per_s", 10}, {"gflop_per_s", 10}};
  MeasurementRow row;
  row.device_id = "gpu";
  row.dwarf = "lud";
  row.median_ns = 1000;
  row.bytes = 9'900;
  add_bound(row, log, 1);
  CHECK(row.reason.empty());
  row.bytes = 10'100;
  row.cache = "hot";
  add_bound(row, log, 1);
  CHECK_THAT(row.reason, contains("peak_fraction is above 1: part of the data stays in caches"));
  row.reason = "1 of 25 samples dropped";
  row.cache = "cold";
  add_bound(row, log, 1);
  CHECK_THAT(row.reason, contains("1 of 25 samples dropped; peak_fraction is above 1"));
  row.reason.clear();
  row.operations = 20'000;
  add_bound(row, log, 1);
  CHECK_THAT(row.reason, contains("fewer operations"));
}

namespace {

// Gives the samples of a point, or of the baseline measured in pairs with it, other whole runs.
void set_runs(RunLog& log, const std::string& part, PairRole role, double span_ns, double wall_ns) {
  for (auto& [key, blocks] : log.blocks) {
    if (!key.starts_with("fast|") || key.find(part) == std::string::npos) continue;
    for (BlockRecord& block : blocks) {
      for (BlockSample& taken : block.samples) {
        if (taken.role != role) continue;
        taken.sample.span_ns = span_ns;
        taken.sample.wall_ns = wall_ns;
        taken.sample.host_ns = 500;
      }
    }
  }
}

}  // namespace

TEST_CASE("whole runs decide, not sums of kernels", "[output]") {
  RunLog log = make_synthetic_run();
  // Less time in kernels than the baseline, but gaps that cost more than is gained.
  set_runs(log, "granularity=2", PairRole::variant, 220000, 240000);
  const RunRows rows = make_rows(log);
  const MeasurementRow& total = lud_row(rows.measurements, "fast", "tiled", "2", "total");
  CHECK(total.median_ns == 220000);
  CHECK(total.verdict == "slower");
  CHECK(*total.speedup == Approx(0.5).epsilon(0.02));
  CHECK(*total.wall_speedup == Approx(111.0 / 240).epsilon(0.02));
  CHECK(*total.kernels_ns == Approx(60000).epsilon(0.016));
  CHECK(total.host_ns == 500);
  CHECK(total.wall_ns == 240000);
  CHECK(total.wall_ci_low_ns == 240000);
  CHECK(total.timer == "device");
  CHECK(*lud_row(rows.measurements, "fast", "tiled", "2", "internal").speedup == Approx(2).epsilon(0.004));
  CHECK_FALSE(lud_row(rows.measurements, "fast", "tiled", "2", "internal").kernels_ns);
  const SampleRow& sample = lud_row(rows.samples, "fast", "tiled", "2", "total");
  CHECK(*sample.ns == *sample.span_ns);
}

TEST_CASE("an interval is no narrower than a tick over the time of a sample", "[output]") {
  RunLog log = make_synthetic_run();
  set_runs(log, "granularity=2", PairRole::variant, 1000, 5000);
  set_runs(log, "granularity=2", PairRole::baseline, 1040, 5000);
  const auto total = [&] {
    const RunRows rows = make_rows(log);
    return lud_row(rows.measurements, "fast", "tiled", "2", "total");
  };
  CHECK(total().verdict == "faster");
  CHECK(*total().ci_low_ns == Approx(1000));
  for (auto& [key, blocks] : log.blocks) {
    for (BlockRecord& block : blocks) block.tick_ns = 52;
  }
  // Two runs in a sample: half a tick for each of them.
  CHECK(*total().ci_high_ns == Approx(1000 * std::exp(0.026)));
  CHECK(*total().speedup_high == Approx(1.04 * std::exp(0.026 + 0.025)));
  CHECK(total().verdict == "within_noise");
  // The host's clock, which takes the wall time, is not that of the device.
  CHECK(*total().wall_ci_high_ns == Approx(5000).epsilon(0.001));
}

TEST_CASE("no ratio mixes spans and wall times", "[output]") {
  RunLog log = make_synthetic_run();
  // As a command buffer against a queue: the variant has no span, and its baseline's must not be used.
  set_runs(log, "granularity=2", PairRole::variant, 0, 50000);
  set_runs(log, "granularity=2", PairRole::baseline, 80000, 100000);
  const RunRows rows = make_rows(log);
  const MeasurementRow& total = lud_row(rows.measurements, "fast", "tiled", "2", "total");
  CHECK(total.median_ns == 50000);
  CHECK(*total.speedup == Approx(2));
  CHECK(*total.wall_speedup == Approx(2));
  CHECK(total.timer == "host");
  CHECK_THAT(total.reason, contains("whole runs timed by the host's clock"));
  CHECK(lud_row(rows.measurements, "fast", "tiled", "2", "internal").timer == "device");
  CHECK(lud_row(rows.measurements, "fast", "tiled", "1", "total").timer == "device");
  for (const SampleRow& sample : rows.samples) {
    if (sample.dwarf == "lud" && sample.device_id == "fast" && sample.granularity == "2" &&
        sample.kernel == "total")
      CHECK(*sample.ns == *sample.wall_ns);
  }
  // On a device whose events are not in order, the row says so.
  log.devices.at("fast").timer.span_reason = "commands overlap";
  CHECK_THAT(lud_row(make_rows(log).measurements, "fast", "tiled", "2", "total").reason,
             contains("commands overlap"));
}

TEST_CASE("the rows of schema 1 stay sums of kernels", "[output]") {
  RunLog log = make_synthetic_run();
  set_runs(log, "granularity=2", PairRole::variant, 220000, 240000);
  log.run.schema = 1;
  const MeasurementRow total = lud_row(make_rows(log).measurements, "fast", "tiled", "2", "total");
  CHECK(*total.median_ns == Approx(60000).epsilon(0.016));
  CHECK(total.verdict == "faster");
  CHECK(total.schema_version == 1);
  CHECK_FALSE(total.kernels_ns);
  CHECK_FALSE(total.wall_speedup);
}

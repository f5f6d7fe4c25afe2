// From a log to rows, CSV and tables: on a run that nobody measured, so that every number is known.
#include <clocale>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "harness/error.hpp"
#include "suite/output/results.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/output/tables.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/reason.hpp"
#include "suite/record/rows.hpp"
#include "suite/record/run_log.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::contains;
using test::content;

namespace {

/// The row of lud; `what` is part of its configuration.
template <typename Row>
const Row& find(const std::vector<Row>& rows, const std::string& device, const std::string& variant,
                const std::string& granularity, const std::string& kernel) {
  for (const Row& row : rows) {
    if (row.dwarf == "lud" && row.device_id == device && row.variant == variant &&
        row.granularity == granularity && row.kernel == kernel) {
      return row;
    }
  }
  throw std::runtime_error("no such row");
}

PointRecord& point_of(RunLog& log, const std::string& device, const std::string& part) {
  for (auto& [key, point] : log.points) {
    if (point.key.device_id == device && point.key.config.find(part) != std::string::npos) return point;
  }
  throw std::runtime_error("no such point");
}

std::string tables(const std::vector<MeasurementRow>& rows, TableFormat format) {
  TableOptions options;
  options.format = format;
  return make_tables(rows, options);
}

constexpr TableFormat all_formats[] = {TableFormat::text, TableFormat::markdown, TableFormat::csv,
                                       TableFormat::latex};

}  // namespace

TEST_CASE("measurements.csv has exactly the columns that were promised", "[output]") {
  const std::string text = to_csv(std::vector<MeasurementRow>());
  CHECK(text ==
        "schema_version,run_id,timestamp,host,platform,device,device_type,device_id,driver,dwarf,kernel,size,"
        "problem,variant,work_group,granularity,vector_width,unroll,padding,options,baseline,status,reason,"
        "samples,launches,min_ns,q1_ns,median_ns,q3_ns,mean_ns,stddev_ns,ci_low_ns,ci_high_ns,stop_reason,"
        "wall_ns,upload_ns,download_ns,build_ns,bytes,operations,items,gb_per_s,gop_per_s,items_per_s,"
        "peak_fraction,bound,max_error,tolerance,local_bytes,private_bytes,registers,spill_bytes,speedup,"
        "speedup_low,speedup_high,verdict,timer,cache\n");
  CHECK_THAT(
      to_csv(std::vector<SampleRow>()),
      contains("problem,variant,work_group,granularity,vector_width,unroll,padding,options,round,block,"
               "confirmation,pair,"
               "order,role,process,launches,events,ns,queued_ns,submit_ns,start_ns,end_ns,host_begin_ns,"
               "host_end_ns,wall_ns,fault\n"));
}

TEST_CASE("a point becomes a row for each kernel, with its speedup over the baseline", "[output]") {
  const RunRows rows = make_rows(make_synthetic_run());
  const MeasurementRow& total = find(rows.measurements, "fast", "tiled", "2", "total");
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

  const MeasurementRow& internal = find(rows.measurements, "fast", "tiled", "2", "internal");
  CHECK(*internal.speedup == Approx(2).epsilon(0.004));
  CHECK_FALSE(internal.build_ns);
  const MeasurementRow& diagonal = find(rows.measurements, "fast", "tiled", "2", "diagonal");
  CHECK(diagonal.verdict == "within_noise");
  CHECK_FALSE(diagonal.registers);  // the driver told none
  CHECK_FALSE(diagonal.bytes);      // the dwarf told none
  CHECK(find(rows.measurements, "fast", "tiled", "1", "total").baseline);
  CHECK(find(rows.measurements, "fast", "tiled", "1", "total").verdict == "within_noise");
}

TEST_CASE("a kernel that the baseline does not have has no speedup, the total has", "[output]") {
  const RunRows rows = make_rows(make_synthetic_run());
  CHECK_FALSE(find(rows.measurements, "fast", "blocked", "1", "trailing").speedup);
  CHECK(find(rows.measurements, "fast", "blocked", "1", "trailing").median_ns);
  CHECK(*find(rows.measurements, "fast", "blocked", "1", "total").speedup ==
        Approx(110.0 / 40).epsilon(0.004));
}

TEST_CASE("a failure is one row with its reason and no number", "[output]") {
  const RunRows rows = make_rows(make_synthetic_run());
  const MeasurementRow& rejected = find(rows.measurements, "slow", "tiled", "4", "total");
  CHECK(rejected.status == "rejected");
  CHECK(rejected.reason == "granularity, 4 of it, must divide the tile");
  CHECK_THROWS(find(rows.measurements, "slow", "tiled", "4", "internal"));
  const std::string line = to_csv(std::vector<MeasurementRow>{rejected});
  // Ten columns of time statistics and twenty-two from wall_ns to verdict are empty.
  CHECK_THAT(line, contains(",rejected,\"granularity, 4 of it, must divide the tile\"" +
                            std::string(11, ',') + "failed" + std::string(23, ',') + "host,hot\n"));
  // A wrong result that came to light after its samples takes them all along.
  RunLog log = make_synthetic_run();
  PointRecord& wrong = point_of(log, "fast", "granularity=2");
  wrong.preparation.status = Status::wrong_result;
  wrong.preparation.check.max_error = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(find(make_rows(log).measurements, "fast", "tiled", "2", "total").median_ns);
  // And a wrong baseline leaves times without speedups.
  point_of(log, "slow", "tiled;work_group=16;granularity=1").preparation.status = Status::crashed;
  const RunRows after = make_rows(log);
  CHECK(find(after.measurements, "slow", "tiled", "2", "total").median_ns);
  CHECK_FALSE(find(after.measurements, "slow", "tiled", "2", "total").speedup);
}

TEST_CASE("two kinds of timer never meet in one ratio", "[output]") {
  RunLog log = make_synthetic_run();
  point_of(log, "fast", "granularity=2").timer = "host";
  const RunRows rows = make_rows(log);
  CHECK_FALSE(find(rows.measurements, "fast", "tiled", "2", "total").speedup);
  CHECK(find(rows.measurements, "fast", "blocked", "1", "total").speedup);
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
  const MeasurementRow& total = find(rows.measurements, "fast", "tiled", "2", "total");
  CHECK(total.samples == 24);
  CHECK(total.reason == "1 of 25 samples dropped: END before START");
  CHECK(*total.mean_ns < 1e6);
  const SpeedupRow& speedup = find(rows.speedups, "fast", "tiled", "2", "total");
  CHECK(speedup.blocks == 5);
  CHECK(speedup.pairs == 24);
  CHECK(find(rows.speedups, "fast", "tiled", "2", "diagonal").pairs == 23);
}

TEST_CASE("a winner that was measured again is shown by those blocks alone", "[output]") {
  RunLog log = make_synthetic_run();
  const std::string key = point_of(log, "fast", "granularity=2").key.text();
  CHECK_THAT(tables(make_rows(log).measurements, TableFormat::text), contains("variant=blocked  40.28 us"));
  CHECK_THAT(tables(make_rows(log).measurements, TableFormat::text), contains("+*"));
  for (int round = 5; round < 8; ++round) {
    BlockRecord again = make_block({log.points.at(key).key,
                                    round,
                                    {{"diagonal", 1e4}, {"internal", 8e4}},
                                    {{"diagonal", 1e4}, {"internal", 1e5}}});
    again.confirmation = true;
    log.blocks.at(key).push_back(again);
  }
  const RunRows rows = make_rows(log);
  const MeasurementRow& row = find(rows.measurements, "fast", "tiled", "2", "total");
  CHECK(row.samples == 15);
  CHECK(*row.speedup == Approx(110.0 / 90).epsilon(0.004));
  CHECK(row.stop_reason == "confirmed");
  CHECK(find(rows.speedups, "fast", "tiled", "2", "total").blocks == 3);
  CHECK(std::count_if(rows.samples.begin(), rows.samples.end(), [](const SampleRow& sample) {
          return sample.confirmation && sample.kernel == "total" && sample.role == "variant";
        }) == 15);
  // It was announced, so it stays the winner.
  const std::string text = tables(rows.measurements, TableFormat::text);
  INFO(text);
  CHECK_THAT(text, contains("A       granularity=2"));
}

TEST_CASE("a point without samples says so", "[output]") {
  RunLog log = make_synthetic_run();
  const std::string key = point_of(log, "fast", "granularity=2").key.text();
  log.blocks.erase(key);
  log.ends.erase(key);
  const RunRows rows = make_rows(log);
  const MeasurementRow& row = find(rows.measurements, "fast", "tiled", "2", "total");
  CHECK(row.reason == "no samples were taken");
  CHECK(row.stop_reason == "interrupted");
  CHECK_FALSE(row.median_ns);
  CHECK_THAT(tables(rows.measurements, TableFormat::text), contains("no samples [1]"));
}

TEST_CASE("what bounds a kernel follows from measured peaks", "[output]") {
  RunLog log = make_synthetic_run();
  const auto bound = [&] { return find(make_rows(log).measurements, "fast", "tiled", "1", "total"); };
  // 3e6 bytes at 100 GB/s are 30 us of 110 us; 1e7 operations at 1000 Gop/s are 10 us; 5 enqueues cost 0.1
  // us.
  CHECK(bound().bound == "memory");
  CHECK(*bound().peak_fraction == Approx(30.0 / 110).epsilon(0.016));
  // What fits into the cache is held to the cache's bandwidth.
  log.peaks["fast"].values["cached_read_gb_per_s"] = 300;
  CHECK(*bound().peak_fraction == Approx(30.0 / 110).epsilon(0.016));
  log.peaks["fast"].values["cache_bytes"] = 1 << 24;
  CHECK(*bound().peak_fraction == Approx(10.0 / 110).epsilon(0.016));
  log.peaks["fast"].values["cache_bytes"] = 0;
  // So is what was read at this size or a larger one, but not at a smaller one.
  log.peaks["fast"].values["read_4096_kib_gb_per_s"] = 200;
  CHECK(*bound().peak_fraction == Approx(15.0 / 110).epsilon(0.016));
  log.peaks["fast"].values["read_2048_kib_gb_per_s"] = 900;
  CHECK(*bound().peak_fraction == Approx(15.0 / 110).epsilon(0.016));
  log.peaks["fast"].values["read_4096_kib_gb_per_s"] = 0;
  log.peaks["fast"].values["gflop_per_s"] = 200;
  CHECK(bound().bound == "compute");
  CHECK(*bound().peak_fraction == Approx(50.0 / 110).epsilon(0.016));
  log.peaks["fast"].values["launch_ns"] = 20000;
  CHECK(bound().bound == "launch");
  CHECK(find(make_rows(log).measurements, "slow", "tiled", "1", "total").bound.empty());
}

TEST_CASE("CSV cells are quoted where they must be and come back", "[output]") {
  CHECK(csv_cell("plain text; a=b") == "plain text; a=b");
  CHECK(csv_cell("a,b") == "\"a,b\"");
  CHECK(csv_cell("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_cell("first\r\nsecond\n") == "\"first | second\"");
  const std::string strange = "\"\",\",;'\\ \u00e4";
  const CsvTable table = parse_csv("F", "a,b\n" + csv_cell(strange) + "," + csv_cell("") + "\r\n");
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].cells == std::vector<std::string>{strange, ""});
}

TEST_CASE("numbers are written shortest, and the same in every locale", "[output]") {
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) std::setlocale(LC_ALL, "C.UTF-8");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1e9) == "1000000000");
  CHECK(number_text(1.0 / 3) == "0.3333333333333333");
  CHECK(number_text(std::nan("")) == "NaN");
  CHECK(number_text(-INFINITY) == "-Inf");
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("rows come back from CSV as they were", "[output]") {
  RunRows rows = make_rows(make_synthetic_run());
  rows.measurements.front().max_error = std::nan("");
  rows.measurements.front().ci_high_ns = INFINITY;
  const test::ScratchDirectory scratch;
  const std::string text = to_csv(rows.measurements);
  const auto read = read_measurements(scratch.file("measurements.csv", text));
  CHECK(to_csv(read) == text);
  REQUIRE(read.front().max_error);
  CHECK(std::isnan(*read.front().max_error));
  CHECK(std::isinf(*read.front().ci_high_ns));
  const std::string samples = to_csv(rows.samples);
  CHECK_THAT(samples, contains(",1700000000000000001,"));
  CHECK(to_csv(read_samples(scratch.file("samples.csv", samples))) == samples);
}

TEST_CASE("a broken CSV is refused with file, line and column", "[output]") {
  const test::ScratchDirectory scratch;
  const std::string good = to_csv(make_rows(make_synthetic_run()).measurements);
  const auto said = [&](const std::string& text) -> std::string {
    try {
      read_measurements(scratch.file("broken.csv", text));
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  CHECK(said(good).empty());
  CHECK_THAT(said(""), contains("broken.csv") && contains("empty"));
  CHECK_THAT(said("a,b\n1,2\n"), contains("line 1") && contains("no column 'schema_version'"));
  CHECK_THAT(said(good + "1,2,3\n"), contains("3 cells where the header has 58"));
  CHECK_THAT(said(good + "\"1,2,3\n"), contains("does not end on its line"));
  CHECK_THAT(said(good + std::string(1, '\0')), contains("zero byte"));
  std::string bad_number = good;
  bad_number.replace(bad_number.find(",25,2,"), 4, ",2x,");
  CHECK_THAT(said(bad_number), contains("line 2, column samples") && contains("found '2x'"));
  std::string newer = good;
  newer.replace(newer.find("\n1,") + 1, 1, "2");
  CHECK_THAT(said(newer), contains("line 2") && contains("schema version 2"));
  CHECK_THROWS_WITH(read_measurements(scratch.path() / "missing.csv"), contains("missing.csv"));
}

TEST_CASE("tables are the same from the CSV as from the rows, byte for byte", "[output]") {
  const std::vector<MeasurementRow> rows = make_rows(make_synthetic_run()).measurements;
  const auto read = parse_measurements("F", to_csv(rows));
  for (const TableFormat format : all_formats) {
    CHECK(tables(read, format) == tables(rows, format));
    CHECK(tables(read, format) == tables(read, format));
  }
}

TEST_CASE("a table names files in a reason without their folders", "[output]") {
  CHECK(short_reason("dlopen(\"/some/cache/gemv.so\") failed with '/some/cache/gemv.so: no symbol'") ==
        "dlopen(\".../gemv.so\") failed with '.../gemv.so: no symbol'");
  CHECK(short_reason("at 3 GB/s, see results/README.md") == "at 3 GB/s, see results/README.md");
}

TEST_CASE("a table names settings by what differs from the baseline", "[output]") {
  const std::string text = tables(make_rows(make_synthetic_run()).measurements, TableFormat::text);
  INFO(text);
  CHECK_THAT(text, contains("lud, small (n=240)"));
  CHECK_THAT(text,
             contains("baseline: variant=tiled, work_group=16, granularity=1, vector_width=1, unroll=1, "
                      "padding=0, direction=x\n"));
  CHECK_THAT(text, contains("All kernels, in us:\n"));
  CHECK_THAT(text, contains("\ngranularity=2    "));
  CHECK_THAT(text, contains(" 2.000x [2.000, 2.000] +"));
  CHECK_THAT(text, contains("rejected [1]                         rejected [1]\n"));
  CHECK_THAT(text, contains("\n[1] rejected: granularity, 4 of it, must divide the tile\n"));
  CHECK_THAT(text, contains("host, one thread (unpaired)"));
  // 4 ms on one thread against 110 us and 40 us.
  CHECK_THAT(text, contains("; baseline 36.1x; best 99.3x"));
  CHECK_THAT(text, contains("build_failed [1]"));
  CHECK_THAT(text, contains("timed by"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 120);
}

TEST_CASE("problems of one size are told apart where the winners are named", "[output]") {
  std::vector<MeasurementRow> rows = make_rows(make_synthetic_run()).measurements;
  CHECK_THAT(tables(rows, TableFormat::text), contains("\nlud    small  "));
  const std::size_t count = rows.size();
  for (std::size_t i = 0; i < count; ++i) {
    MeasurementRow row = rows[i];
    if (row.dwarf == "lud") row.problem = "n=480";
    rows.push_back(std::move(row));
  }
  const std::string text = tables(rows, TableFormat::text);
  INFO(text);
  CHECK_THAT(text, contains("\nlud    small: n=240  "));
  CHECK_THAT(text, contains("\nlud    small: n=480  "));
}

TEST_CASE("tables stand for several runs side by side", "[output]") {
  std::vector<MeasurementRow> rows = make_rows(make_synthetic_run()).measurements;
  const std::size_t count = rows.size();
  for (std::size_t i = 0; i < count; ++i) {
    MeasurementRow row = rows[i];
    row.run_id = "another";
    rows.push_back(row);
  }
  const std::string text = tables(rows, TableFormat::markdown);
  CHECK_THAT(text, contains("- D: Slow CPU"));
  CHECK_THAT(text,
             contains("| setting | A Fast GPU, model 2 | B Slow CPU | C Fast GPU, model 2 | D Slow CPU |"));
}

TEST_CASE("a run's folder holds all files, and none of them by halves", "[output]") {
  const test::ScratchDirectory scratch;
  write_synthetic_log(scratch.path() / log_name);
  write_results(scratch.path(), read_log(scratch.path()));
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
    files[entry.path().filename()] = content(entry.path());
  }
  REQUIRE(files.size() == 6);
  for (const char* name : {"run.json", "measurements.csv", "samples.csv", "speedups.csv", "tables.md"}) {
    CHECK(files.contains(name));
    CHECK_FALSE(files[name].empty());
  }
  CHECK(files["tables.md"] ==
        tables(read_measurements(scratch.path() / "measurements.csv"), TableFormat::markdown));
  // Made again, it is the same.
  write_results(scratch.path(), read_log(scratch.path()));
  for (const auto& [name, text] : files) CHECK(content(scratch.path() / name) == text);
  // From the log alone, where the sweep was killed before it wrote anything else.
  std::ostringstream from_csv;
  print_tables(from_csv, {scratch.path()}, {});
  std::filesystem::remove(scratch.path() / "measurements.csv");
  std::ostringstream from_log;
  print_tables(from_log, {scratch.path()}, {});
  CHECK(from_log.str() == from_csv.str());
  CHECK_THROWS_WITH(write_results(scratch.path() / "missing", make_synthetic_run()), contains("missing"));
  CHECK_THROWS_AS(print_tables(from_log, {scratch.path() / "missing"}, {}), UsageError);
  CHECK_THROWS_WITH(parse_table_format("word"),
                    contains("text, markdown, csv, latex, t4, google-benchmark and best"));
}

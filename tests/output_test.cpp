// Tables and the files of a run, made from a synthetic run, so that every number is known.
#include <sstream>

#include "harness/space/error.hpp"
#include "suite/commands/documents.hpp"
#include "suite/output/tables.hpp"
#include "suite/record/reason.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::contains;
using test::content;
using test::lud_row;
using test::point_of;

namespace {

std::string tables(const std::vector<MeasurementRow>& rows, TableFormat format) {
  TableOptions options;
  options.format = format;
  return make_tables(rows, options);
}

constexpr TableFormat all_formats[] = {TableFormat::text, TableFormat::markdown, TableFormat::csv,
                                       TableFormat::latex};

}  // namespace

TEST_CASE("of a best candidate that was re-measured only those blocks count", "[output]") {
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
  const MeasurementRow& row = lud_row(rows.measurements, "fast", "tiled", "2", "total");
  CHECK(row.samples == 15);
  CHECK(*row.speedup == Approx(110.0 / 90).epsilon(0.004));
  CHECK(row.stop_reason == "confirmed");
  CHECK(lud_row(rows.speedups, "fast", "tiled", "2", "total").blocks == 3);
  CHECK(std::count_if(rows.samples.begin(), rows.samples.end(), [](const SampleRow& sample) {
          return sample.confirmation && sample.kernel == "total" && sample.role == "variant";
        }) == 15);
  // It remains the best setting, although another has a larger speedup.
  const std::string text = tables(rows.measurements, TableFormat::text);
  INFO(text);
  CHECK_THAT(text, contains("A       granularity=2"));
  // Unless it is of another shard, and the other's interval lies above its own.
  log.run.run_id += merged_suffix;
  const std::string merged = tables(make_rows(log).measurements, TableFormat::text);
  INFO(merged);
  CHECK_THAT(merged, contains("A       variant=blocked"));
  CHECK_THAT(merged, contains("+*"));
}

TEST_CASE("a point without samples is marked", "[output]") {
  RunLog log = make_synthetic_run();
  const std::string key = point_of(log, "fast", "granularity=2").key.text();
  log.blocks.erase(key);
  log.ends.erase(key);
  const RunRows rows = make_rows(log);
  const MeasurementRow& row = lud_row(rows.measurements, "fast", "tiled", "2", "total");
  CHECK(row.reason == "no samples were taken");
  CHECK(row.stop_reason == "interrupted");
  CHECK_FALSE(row.median_ns);
  CHECK_THAT(tables(rows.measurements, TableFormat::text), contains("no samples [1]"));
}

TEST_CASE("tables are the same from the CSV as from the rows, byte for byte", "[output]") {
  const std::vector<MeasurementRow> rows = make_rows(make_synthetic_run()).measurements;
  const auto read = parse_measurements("F", to_csv(rows));
  for (const TableFormat format : all_formats) {
    CHECK(tables(read, format) == tables(rows, format));
    CHECK(tables(read, format) == tables(read, format));
  }
}

TEST_CASE("reasons in tables name files without their folders", "[output]") {
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
  CHECK_THAT(text, contains("Whole executions, in us:\n"));
  CHECK_THAT(text, contains("\ngranularity=2    "));
  CHECK_THAT(text, contains(" 2.000x [2.000, 2.000] +"));
  CHECK_THAT(text, contains("not applicable [1]                   not applicable [1]\n"));
  CHECK_THAT(text, contains("\n[1] not applicable: granularity, 4 of it, must divide the tile\n"));
  CHECK_THAT(text, contains("CPU reference, one thread (unpaired)"));
  // 4 ms on one thread against 110 us and 40 us.
  CHECK_THAT(text, contains("; baseline 36.1x; best 99.3x"));
  CHECK_THAT(text, contains("failed: build [1]"));
  CHECK_THAT(text, contains("timed by"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 120);
}

TEST_CASE("the best settings of several problems of one size name the problem", "[output]") {
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

TEST_CASE("several runs are columns of one table", "[output]") {
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

TEST_CASE("the folder of a run has all files, complete", "[output]") {
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
  CHECK(files["tables.md"] == tables(read_run_measurements(scratch.path()), TableFormat::markdown));
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
  const test::ScratchDirectory without_samples;
  without_samples.file("measurements.csv", "");
  CHECK_THROWS_WITH(read_run(without_samples.path()), contains("neither samples.csv nor log.jsonl"));
  CHECK_THROWS_WITH(parse_table_format("word"),
                    contains("text, markdown, csv, latex, best, space, claims, t4, kernel-tuner"));
}

TEST_CASE("the CSV files of a run may be compressed", "[output]") {
  const test::ScratchDirectory scratch;
  write_results(scratch.path(), make_synthetic_run());
  const RunData plain = read_run(scratch.path());
  REQUIRE_FALSE(plain.samples.empty());
  const auto pack = [&](const std::string& name) {
    test::write_gzip(scratch.path() / (name + ".gz"), content(scratch.path() / name));
    std::filesystem::remove(scratch.path() / name);
  };
  std::ostringstream before, after;
  print_tables(before, {scratch.path()}, {});
  pack("samples.csv");
  pack("measurements.csv");
  const RunData packed = read_run(scratch.path());
  CHECK(to_csv(packed.samples) == to_csv(plain.samples));
  CHECK(to_csv(packed.measurements) == to_csv(plain.measurements));
  CHECK(to_csv(read_run_samples(scratch.path())) == to_csv(plain.samples));
  print_tables(after, {scratch.path()}, {});
  CHECK(after.str() == before.str());
  std::ostringstream by_name;
  print_tables(by_name, {scratch.path() / "measurements.csv.gz"}, {});
  CHECK(by_name.str() == before.str());
  const std::filesystem::path file = scratch.path() / "samples.csv.gz";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 12);
  CHECK_THROWS_WITH(read_run(scratch.path()), contains("samples.csv.gz: is not a complete gzip file"));
}

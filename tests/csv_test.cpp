// CSV: its columns, cells and numbers, and that rows read back are the same.
#include "suite/record/csv.hpp"

#include <clocale>
#include <cmath>

#include "harness/space/error.hpp"
#include "suite/record/row_csv.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::contains;

TEST_CASE("measurements.csv has exactly the documented columns", "[output]") {
  const std::string text = to_csv(std::vector<MeasurementRow>());
  CHECK(
      text ==
      "schema_version,run_id,timestamp,host,platform,device,device_type,device_id,driver,dwarf,kernel,size,"
      "problem,variant,work_group,granularity,vector_width,unroll,padding,options,baseline,status,reason,"
      "samples,launches,min_ns,q1_ns,median_ns,q3_ns,mean_ns,stddev_ns,ci_low_ns,ci_high_ns,stop_reason,"
      "wall_ns,upload_ns,download_ns,build_ns,bytes,operations,items,gb_per_s,gop_per_s,items_per_s,"
      "peak_fraction,bound,max_error,tolerance,local_bytes,private_bytes,registers,spill_bytes,speedup,"
      "speedup_low,speedup_high,verdict,timer,cache,kernels_ns,host_ns,wall_ci_low_ns,wall_ci_high_ns,"
      "wall_speedup,wall_speedup_low,wall_speedup_high,energy_j,clock_mhz,throttled,program_id,reference\n");
  CHECK_THAT(
      to_csv(std::vector<SampleRow>()),
      contains("problem,variant,work_group,granularity,vector_width,unroll,padding,options,round,block,"
               "confirmation,pair,"
               "order,role,process,launches,events,ns,queued_ns,submit_ns,start_ns,end_ns,host_begin_ns,"
               "host_end_ns,wall_ns,fault,kernels_ns,span_ns,host_ns\n"));
}

TEST_CASE("CSV cells are quoted where necessary and read back the same", "[output]") {
  CHECK(csv_cell("plain text; a=b") == "plain text; a=b");
  CHECK(csv_cell("a,b") == "\"a,b\"");
  CHECK(csv_cell("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_cell("first\r\nsecond\n") == "\"first | second\"");
  const std::string strange = "\"\",\",;'\\ \u00e4";
  const CsvTable table = parse_csv("F", "a,b\n" + csv_cell(strange) + "," + csv_cell("") + "\r\n");
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].cells == std::vector<std::string>{strange, ""});
}

TEST_CASE("numbers are written as short as possible, and the same in every locale", "[output]") {
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) std::setlocale(LC_ALL, "C.UTF-8");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1e9) == "1000000000");
  CHECK(number_text(1.0 / 3) == "0.3333333333333333");
  CHECK(number_text(std::nan("")) == "NaN");
  CHECK(number_text(-INFINITY) == "-Inf");
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("rows read back from CSV are the same", "[output]") {
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
  CHECK_THAT(said(good + "1,2,3\n"), contains("3 cells where the header has 70"));
  CHECK_THAT(said(good + "\"1,2,3\n"), contains("does not end on its line"));
  CHECK_THAT(said(good + std::string(1, '\0')), contains("zero byte"));
  std::string bad_number = good;
  bad_number.replace(bad_number.find(",25,2,"), 4, ",2x,");
  CHECK_THAT(said(bad_number), contains("line 2, column samples") && contains("found '2x'"));
  std::string newer = good;
  newer.replace(newer.find("\n2,") + 1, 1, "3");
  CHECK_THAT(said(newer),
             contains("line 2") && contains("schema version 3; this program reads versions 1 to 2"));
  std::string shorter = good;
  shorter.replace(shorter.find(",program_id"), 11, ",renamed_id");
  CHECK_THAT(said(shorter), contains("no column 'program_id'"));
  CHECK_THROWS_WITH(read_measurements(scratch.path() / "missing.csv"), contains("missing.csv"));
}

TEST_CASE("a run of a version before anchors had baselines only", "[output]") {
  const test::ScratchDirectory scratch;
  std::string text = to_csv(make_rows(make_synthetic_run()).measurements);
  const auto parsed = parse_measurements("new.csv", text);
  std::size_t known = 0;
  for (const MeasurementRow& row : parsed) known += row.reference == "baseline" ? 1 : 0;
  CHECK(known > 0);
  // Without the last column.
  std::string older;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    older += line.substr(0, line.rfind(',')) + "\n";
    begin = end + 1;
  }
  CHECK_THAT(older, !contains("reference"));
  CHECK(to_csv(read_measurements(scratch.file("older.csv", older))) == text);
}

TEST_CASE("a run of schema 1, which lacks the latest columns, is read", "[output]") {
  const test::ScratchDirectory scratch;
  const auto read = read_measurements(scratch.file(
      "old.csv",
      "schema_version,run_id,timestamp,host,platform,device,device_type,device_id,driver,dwarf,kernel,size,"
      "problem,variant,work_group,granularity,vector_width,unroll,padding,options,baseline,status,reason,"
      "samples,launches,min_ns,q1_ns,median_ns,q3_ns,mean_ns,stddev_ns,ci_low_ns,ci_high_ns,stop_reason,"
      "wall_ns,upload_ns,download_ns,build_ns,bytes,operations,items,gb_per_s,gop_per_s,items_per_s,"
      "peak_fraction,bound,max_error,tolerance,local_bytes,private_bytes,registers,spill_bytes,speedup,"
      "speedup_low,speedup_high,verdict,timer,cache\n1,r,,,,,,,,lud,total,,,,,,,,,,false,ok,,,,,,25"
      ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"));
  REQUIRE(read.size() == 1);
  CHECK(read.front().schema_version == 1);
  CHECK_FALSE(read.front().kernels_ns);
}

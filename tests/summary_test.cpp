#include "suite/output/summary.hpp"

#include <algorithm>
#include <filesystem>

#include "suite/engine/sweep_context.hpp"
#include "suite/record/reason.hpp"
#include "suite/record/record.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;
using test::contains;

namespace {

MeasurementRow row_of(const std::string& dwarf, const std::string& variant, const std::string& status) {
  MeasurementRow row;
  row.run_id = "run";
  row.host = "host";
  row.platform = "PoCL";
  row.device = "a processor";
  row.device_id = "cpu0";
  row.device_type = "cpu";
  row.driver = "3.1";
  row.dwarf = dwarf;
  row.kernel = "total";
  row.size = "small";
  row.problem = "n=1";
  row.variant = variant;
  row.baseline = variant == "plain";
  row.status = status;
  if (status != "ok") return row;
  row.median_ns = row.baseline ? 2000 : 1000;
  row.speedup = row.baseline ? 1 : 2;
  row.speedup_low = *row.speedup * 0.99;
  row.speedup_high = *row.speedup * 1.01;
  row.verdict = row.baseline ? "within_noise" : "faster";
  row.stop_reason = row.baseline ? "converged" : "confirmed";
  row.timer = "device";
  return row;
}

}  // namespace

TEST_CASE("the summary of nine dwarfs fits a screen and shows what matters", "[output][summary]") {
  std::vector<MeasurementRow> rows;
  for (const char* dwarf : {"lud", "crc", "needle", "srad", "bfs", "sgemv", "kmeans", "des", "hotspot"}) {
    rows.push_back(row_of(dwarf, "plain", "ok"));
    rows.push_back(row_of(dwarf, "quick", "ok"));
    for (const char* status : {"rejected", "crashed", "not_run"}) {
      for (int i = 0; i < 3; ++i) {
        rows.push_back(row_of(dwarf, "other", status));
        rows.back().granularity = std::to_string(i) + status;
        rows.back().reason =
            std::string("the worker process ended by signal SIGSEGV; ") + std::string(300, 'x');
        rows.back().stop_reason = rows.back().status == "not_run" ? "budget" : "failed";
      }
    }
  }
  const std::string text = make_summary(rows, "runs/one");
  INFO(text);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 40);
  CHECK_THAT(text, contains("a processor (PoCL), driver 3.1"));
  for (const char* dwarf : {"lud", "hotspot"}) CHECK_THAT(text, contains(std::string("\n") + dwarf));
  CHECK_THAT(text, contains("2.00x [1.98, 2.02] +"));
  CHECK_THAT(text, contains("99 points: 18 ok, 27 failed: crashed, 27 not applicable, 27 not run."));
  CHECK_THAT(text, contains("sweep --resume runs/one"));
  CHECK_THAT(
      text,
      contains("lud other (a processor) failed: crashed, 3 points; the first: the worker process ended"));
  CHECK_THAT(text, contains("... and 3 more of other variants"));
  CHECK_THAT(text, contains("./run table runs/one, or dwarfsweep table runs/one"));
}

TEST_CASE("the summary of many devices is cut to forty lines", "[output][summary]") {
  std::vector<MeasurementRow> rows;
  for (const char* device : {"cpu0", "cpu1", "cpu2", "cpu3", "cpu4"}) {
    for (const char* dwarf : {"lud", "crc", "needle", "srad", "bfs", "sgemv", "kmeans", "des", "hotspot"}) {
      for (const char* variant : {"plain", "quick"}) {
        rows.push_back(row_of(dwarf, variant, "ok"));
        rows.back().device_id = device;
      }
    }
  }
  const test::ScratchDirectory folder;
  const std::string report = folder.file("report.html", "");
  const std::string text = make_summary(rows, std::filesystem::path(report).parent_path().string());
  INFO(text);
  CHECK(std::count(text.begin(), text.end(), '\n') == 40);
  // 45 rows and 15 other lines but for the last blank: the shown and the omitted ones together are all of
  // them.
  CHECK_THAT(text, contains("more"));
  CHECK_THAT(text, contains("the report, for a browser: " + report));
  CHECK_THAT(make_summary(rows, "runs/one"), !contains("report"));
}

TEST_CASE("without a measurement the summary says so", "[output][summary]") {
  const std::string text = make_summary({row_of("lud", "plain", "crashed")}, "one");
  CHECK_THAT(text, contains("No point was measured.") && contains("1 points: 1 failed: crashed.") &&
                       !contains("--resume"));
}

TEST_CASE("progress says which share of the time is gone", "[output][summary]") {
  using std::chrono::milliseconds;
  CHECK(progress_text(milliseconds(161'000), milliseconds(180'000), 34, 355) ==
        "89 % of the time, 34 of 355 points, at most 19s left");
  CHECK(progress_text(milliseconds(190'000), milliseconds(180'000), 355, 355) ==
        "100 % of the time, 355 of 355 points, at most 0s left");
  CHECK(progress_text(milliseconds(9'000), milliseconds(180'000), 0, 0) ==
        "5 % of the time, at most 2m51s left");
  CHECK(progress_text(milliseconds(60'000), milliseconds(0), 100, 400) ==
        "100 of 400 points, 1m00s gone, about 3m00s left");
  CHECK(progress_text(milliseconds(60'000), milliseconds(0), 0, 400) == "0 of 400 points, 1m00s gone");
}

TEST_CASE("people read words for statuses, and each means one thing", "[output][summary]") {
  const std::vector<std::pair<const char*, const char*>> words = {{"ok", "ok"},
                                                                  {"rejected", "not applicable"},
                                                                  {"unsupported", "unsupported"},
                                                                  {"not_run", "not run"},
                                                                  {"wrong_result", "wrong result"},
                                                                  {"crashed", "failed: crashed"},
                                                                  {"build_failed", "failed: build"},
                                                                  {"out_of_memory", "failed: out of memory"}};
  for (const auto& [status, expected] : words) CHECK(status_words(status) == expected);
}

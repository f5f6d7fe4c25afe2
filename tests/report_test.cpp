// The page as a whole.
#include "suite/report/report.hpp"

#include <fmt/format.h>

#include "harness/space/error.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/report/sections.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/made_up_report.hpp"

namespace dwarfsweep {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_CASE("report: hostile names stay text on the page", "[report]") {
  test::MadeUpRuns runs;
  const std::string name = "<script>alert('x')</script>\"><img src=http://example.org/x>";
  runs.add(name, "gpu", {}, 1);
  runs.add(name, "gpu", {.unroll = 4}, 2);
  runs.add_failed(name, "gpu", {.unroll = 8}, "build_failed");
  runs.rows().back().reason = "</td></table><iframe src=//example.org>";
  const std::string page = make_report(runs.data(), nullptr, false);
  CHECK(count_of(page, "<script") == 2);  // the data, and the program's own
  CHECK(count_of(page, "</script") == 2);
  CHECK(count_of(page, "<img") == 0);
  CHECK(count_of(page, "<iframe") == 0);
  CHECK(page.find("default-src 'none'") != std::string::npos);
  CHECK(page.find("unsafe-inline") == std::string::npos);
  CHECK(page.find("&lt;script&gt;alert(&#39;x&#39;)") != std::string::npos);
}

TEST_CASE("report: all sections are there, in order", "[report]") {
  test::MadeUpRuns runs;
  runs.add("gpu0", "gpu", {}, 1);
  runs.add("gpu0", "gpu", {.unroll = 4}, 2);
  const std::string page = make_report(runs.data(), nullptr, false);
  std::size_t at = 0;
  for (const char* id : {"verdict", "trust", "overview", "dwarfs", "payoff", "rows", "method"}) {
    const std::size_t found = page.find(std::string("<section id=\"") + id + "\">");
    INFO(id);
    REQUIRE(found != std::string::npos);
    CHECK(found > at);
    at = found;
  }
  // Nothing failed, there is one device, and no older run: these sections would be empty.
  for (const char* id : {"roofline", "portability", "left-out", "against"})
    CHECK(page.find(std::string("<section id=\"") + id + "\">") == std::string::npos);
  CHECK(page.find("<h1>lud on gpu0</h1>") != std::string::npos);
  CHECK(page.find("2.000x [1.998, 2.002] ▲") != std::string::npos);
}

TEST_CASE("report: a device with fewer cores is another device", "[report]") {
  test::MadeUpRuns runs;
  std::vector<ReportRun> described;
  for (const int cores : {2, 2, 16}) {
    runs.add("cpu0", "cpu", {}, 1);
    MeasurementRow& row = runs.rows().back();
    row.run_id = fmt::format("run {}", described.size());
    const Json info = {{"id", row.device_id}, {"compute_units", cores}};
    described.push_back({row.run_id, std::make_shared<const Json>(
                                         Json{{"run_id", row.run_id}, {"devices", {{{"info", info}}}}})});
  }
  const ReportData data = make_report_data(described, runs.rows(), {});
  CHECK(data.names == std::vector<std::string>{"cpu0 2 cores, platform ", "cpu0 16 cores, platform "});
}

TEST_CASE("report: problems of one size are shown with what differs", "[report]") {
  test::MadeUpRuns runs;
  for (const char* problem : {"n=8;seed=1", "n=16;seed=1"}) {
    runs.add("gpu0", "gpu", {}, 1);
    runs.rows().back().problem = problem;
  }
  const ReportData two = runs.data();
  CHECK(size_text(two, two.model.tables.front()) == two.model.tables.front().size + ": n=8");
  CHECK(make_report(two, nullptr, false).find("seed=1\">" + two.model.tables.front().size + ": n=16<") !=
        std::string::npos);
  runs.rows().pop_back();
  const ReportData one = runs.data();
  CHECK(size_text(one, one.model.tables.front()) == one.model.tables.front().size);
}

TEST_CASE("report: a run without a time has a page", "[report]") {
  test::MadeUpRuns runs;
  CHECK(make_report(runs.data(), nullptr, false).find("No device was measured.") != std::string::npos);
  runs.add_failed("gpu0", "gpu", {}, "crashed");
  CHECK(make_report(runs.data(), nullptr, false).find("1 points failed") != std::string::npos);
}

TEST_CASE("report: points without a time are shown separately", "[report]") {
  test::MadeUpRuns runs;
  runs.add("gpu0", "gpu", {}, 1);
  int unroll = 1;
  for (const char* status : {"rejected", "unsupported", "not_run"})
    runs.add_failed("gpu0", "gpu", {.unroll = unroll *= 2}, status);
  const std::string fine = make_report(runs.data(), nullptr, false);
  for (const char* words : {"– not applicable", "⊘ unsupported", "· not run", "Nothing failed."})
    CHECK(fine.find(words) != std::string::npos);
  CHECK(count_of(fine.substr(0, fine.find("<script")), "✕") == 0);  // it means failure and nothing else
  runs.add_failed("gpu0", "gpu", {.unroll = 16}, "wrong_result");
  runs.add_failed("gpu0", "gpu", {.unroll = 32}, "crashed");
  const std::string page = make_report(runs.data(), nullptr, false);
  for (const char* words : {"✕ wrong result", "✕ failed: crashed", "2 points failed"})
    CHECK(page.find(words) != std::string::npos);
}

TEST_CASE("report: devices have short names", "[report]") {
  MeasurementRow row;
  row.platform = "Portable Computing Language";
  row.device = "pthread-skylake-avx512-AMD EPYC";
  row.device_type = "cpu";
  row.driver = "3.1+debian";
  CHECK(short_device_name(row, 2) == "EPYC 2 cores, PoCL 3.1");
  row.device = "cpu-haswell-Intel(R) Core(TM) i7-4770K CPU @ 3.50GHz";
  CHECK(short_device_name(row, 1) == "Core i7-4770K 1 core, PoCL 3.1");
  row.platform = "Intel(R) OpenCL";
  row.device = "AMD EPYC";
  row.driver = "2026.20.3.0.19_160000.xmain-hotfix";
  CHECK(short_device_name(row, 0) == "EPYC, Intel 2026.20");
  row.device_type = "gpu";
  row.device = "NVIDIA H200";
  CHECK(short_device_name(row, 132) == "H200");
  row.device = "NVIDIA ";
  CHECK(short_device_name(row, 0) == "NVIDIA ");
}

TEST_CASE("report: what drivers and files hold gets no JSON exception", "[report]") {
  test::MadeUpRuns runs;
  runs.add("gpu \xff", "gpu", {}, 1);
  CHECK(make_report(runs.data(), nullptr, false).find("gpu") != std::string::npos);

  const test::ScratchDirectory scratch;
  (void)scratch.file("measurements.csv", to_csv(runs.rows()));
  const auto page = scratch.path() / "report.html";
  for (const char* description : {"{\"run_id\":", "[]", "3"}) {
    INFO(description);
    (void)scratch.file("run.json", description);
    CHECK_THROWS_WITH(write_report(page, {.runs = {scratch.path()}}),
                      test::contains("is not a description of a run") && !test::contains("json.exception"));
  }
  for (
      const char* description :
      {"{}", R"({"run_id": 3, "arguments": 1, "devices": [3, {"info": []}]})",
       R"({"run_id": "example-20260102T030405Z", "arguments": 1, "devices": [3, {"info": {"id": "gpu0"}}]})"}) {
    INFO(description);
    (void)scratch.file("run.json", description);
    CHECK_NOTHROW(write_report(page, {.runs = {scratch.path()}}));
  }
}

TEST_CASE("report: too many samples are binned unless all are asked for", "[report]") {
  test::MadeUpRuns runs;
  runs.add("gpu0", "gpu", {}, 1);
  for (int unroll = 2; unroll < 1000; ++unroll)
    runs.add("gpu0", "gpu", {.unroll = unroll}, 1 + 0.001 * unroll);
  const ReportData data = runs.data();
  const std::string binned = make_report(data, nullptr, false);
  const std::string all = make_report(data, nullptr, true);
  CHECK(binned.find("\"binned\":true") != std::string::npos);
  CHECK(all.find("\"binned\":false") != std::string::npos);
  CHECK(binned.size() < all.size());
}

}  // namespace
}  // namespace dwarfsweep

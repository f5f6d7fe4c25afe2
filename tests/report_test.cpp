// The page as a whole.
#include "suite/report/report.hpp"

#include "harness/space/error.hpp"
#include "suite/record/row_csv.hpp"
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
  for (const char* id : {"verdict", "trust", "overview", "roofline", "dwarfs", "payoff", "portability",
                         "left-out", "against", "rows", "method"}) {
    const std::size_t found = page.find(std::string("<section id=\"") + id + "\">");
    INFO(id);
    REQUIRE(found != std::string::npos);
    CHECK(found > at);
    at = found;
  }
  CHECK(page.find("<a href=\"#d-lud\"><b>lud</b></a>: ▲ <b>2.000x [1.998, 2.002]</b> by unroll=4") !=
        std::string::npos);
}

TEST_CASE("report: a run without a time has a page", "[report]") {
  test::MadeUpRuns runs;
  CHECK(make_report(runs.data(), nullptr, false).find("No device was measured.") != std::string::npos);
  runs.add_failed("gpu0", "gpu", {}, "crashed");
  CHECK(make_report(runs.data(), nullptr, false).find("1 points failed") != std::string::npos);
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

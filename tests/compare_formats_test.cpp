// The forms in which a comparison is printed: hostile names, limits, exit statuses.
#include "suite/compare/compare.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "suite/record/json.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;
using test::contains;

namespace {

// `count` points of a device, all with this change.
struct MadeUp {
  std::vector<MeasurementRow> rows;
  Comparison comparison;

  MadeUp(std::size_t count, Change change, const std::string& device) : rows(count) {
    for (std::size_t i = 0; i < count; ++i) {
      MeasurementRow& row = rows[i];
      row.device = device;
      row.dwarf = "lud";
      row.problem = "n=240";
      row.size = "small";
      row.status = "ok";
      row.median_ns = 1000;
      ComparedPoint point;
      point.change = change;
      point.before = point.after = &row;
      point.name = fmt::format("lud point {} on {}", i, device);
      point.setting = fmt::format("granularity={}", i);
      point.ratio = Speedup{0.5, 0.4, 0.6, Verdict::slower};
      comparison.points.push_back(point);
    }
  }
};

}  // namespace

TEST_CASE("exit statuses", "[unit][compare]") {
  MadeUp slower(2, Change::slower, "GPU");
  Comparison& comparison = slower.comparison;
  CHECK(comparison.exit_status() == 1);
  comparison.rule.min_count = 3;
  CHECK(comparison.exit_status() == 0);
  CHECK_THAT(verdict_sentence(comparison), contains("fewer than --min-count 3"));
  comparison.rule.min_count = 2;
  comparison.points[0].allowed = "known";
  CHECK(comparison.exit_status() == 0);
  comparison.points[0].change = Change::failing;
  comparison.points[0].allowed = "";
  CHECK(comparison.exit_status() == 1);  // what fails is no noise
  CHECK(MadeUp(1, Change::undecided, "GPU").comparison.exit_status() == 5);
  CHECK(MadeUp(1, Change::incomparable, "GPU").comparison.exit_status() == 5);
  MadeUp same(1, Change::within_noise, "GPU");
  CHECK(same.comparison.exit_status() == 0);
  same.comparison.drifts.push_back({"lud", 1.2, 30, "2026-01-01", ""});
  CHECK(same.comparison.exit_status() == 1);
  same.comparison.drifts[0].allowed = "known";
  CHECK(same.comparison.exit_status() == 0);
}

TEST_CASE("JUnit stays XML, whatever names hold", "[unit][compare]") {
  MadeUp hostile(1, Change::slower, "<a href=\"x\"> & 'b' ]]> \x01\xff \xed\xa0\x80 \xc3\xa9 \n");
  const std::string xml = to_junit(hostile.comparison);
  CHECK_THAT(xml, contains("&lt;a href=&quot;x&quot;&gt; &amp; &apos;b&apos; ]]&gt;"));
  CHECK_THAT(xml, contains("\xc3\xa9 &#10;"));
  for (const char* illegal : {"<a ", "\x01", "\xff", "\xed\xa0\x80"})
    CHECK(xml.find(illegal) == std::string::npos);
  CHECK_THAT(xml, contains("tests=\"1\" failures=\"1\""));
  CHECK_THAT(xml, contains("<failure message=\"slower:"));
  hostile.comparison.points[0].allowed = "known";
  CHECK_THAT(to_junit(hostile.comparison), contains("failures=\"0\"") && contains("<skipped message="));
  hostile.comparison.points[0].allowed = "";
  hostile.comparison.rule.min_count = 2;
  CHECK_THAT(to_junit(hostile.comparison), contains("failures=\"0\""));  // as the exit status has it
}

TEST_CASE("Markdown begins with the verdict and stays below what a comment may hold", "[unit][compare]") {
  const MadeUp many(3000, Change::slower, "A GPU with a name that is by no means short");
  const std::string text = to_markdown(many.comparison);
  CHECK(text.size() <= 60'000);
  CHECK(text.rfind("## dwarfsweep: Regression: 3000 slower", 0) == 0);
  CHECK_THAT(text, contains("more; --format json has all."));
  CHECK_THAT(text, contains("0.50x [0.40, 0.60]"));
  MadeUp noted(1, Change::slower, "GPU");
  for (int i = 0; i < 3000; ++i)
    noted.comparison.notes.push_back("something that is said quite often: \xc3\xa9\xc3\xa9");
  CHECK(to_markdown(noted.comparison).size() <= 60'000);
}

TEST_CASE("undecided points come with the command that decides them", "[unit][compare]") {
  MadeUp undecided(1, Change::undecided, "GPU");
  undecided.comparison.next = {"dwarfsweep sweep --dwarf lud"};
  CHECK_THAT(to_text(undecided.comparison), contains("\nnext: dwarfsweep sweep --dwarf lud\n"));
  CHECK_THAT(to_markdown(undecided.comparison), contains("```\nnext: dwarfsweep sweep --dwarf lud\n```"));
  const Json json = to_json_report(undecided.comparison);
  CHECK(json.at("exit_status") == 5);
  CHECK(json.at("next").size() == 1);
}

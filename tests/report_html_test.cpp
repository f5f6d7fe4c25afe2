// What of a report is not about measuring: that foreign text stays text.
#include "suite/report/html.hpp"

#include <cfloat>
#include <cmath>
#include <nlohmann/json.hpp>

#include "suite/record/json.hpp"
#include "suite/report/sections.hpp"
#include "tests/catch.hpp"

namespace dwarfsweep {
namespace {

TEST_CASE("report: foreign text cannot become markup", "[report]") {
  CHECK(escaped_html("<img src=x onerror=\"a()\">&'") ==
        "&lt;img src=x onerror=&quot;a()&quot;&gt;&amp;&#39;");
  CHECK(escaped_html(std::string("a\0b\x1b", 4)) ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
  const std::string device = "</td><script>alert(1)</script>";
  const Html cell = markup("<td title=\"{}\">{} {}</td>", device, device, 3);
  CHECK(cell.str().find("<script") == std::string::npos);
  CHECK(cell.str().ends_with(" 3</td>"));
  CHECK(markup("<p>{}</p>", cell).str() == "<p>" + cell.str() + "</p>");
  const std::vector<Html> cells = {device, device.c_str(), std::string_view(device), cell};
  for (const Html& each : cells) CHECK(each.str().find("<script") == std::string::npos);
}

TEST_CASE("report: data cannot end its block", "[report]") {
  const std::string text = json_for_html({{"name", "</script><!--<script>&"}});
  CHECK(text.find_first_of("<>&") == std::string::npos);
  CHECK(Json::parse(text).at("name") == "</script><!--<script>&");
  CHECK_NOTHROW(Json::parse(json_for_html({{"name", "\xff not UTF-8"}})));
}

TEST_CASE("report: the policy names hashes in base 64", "[report]") {
  // SHA-256 of no bytes and of "abc" (FIPS 180-2, B.1), by openssl dgst -sha256 -binary | base64.
  CHECK(policy_hash("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855") ==
        "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  CHECK(policy_hash("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") ==
        "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST_CASE("report: a command is quoted for a shell", "[report]") {
  MeasurementRow row;
  row.dwarf = "needle";
  row.device = "GPU $(x)";
  row.size = "large";
  row.problem = "m=8;n=9";
  row.variant = "strip";
  row.options = "lanes=4";
  CHECK(point_command(row) ==
        "dwarfsweep run --dwarf needle --device 'GPU $(x)' --problem m=8,n=9 --set variant=strip,lanes=4");
}

TEST_CASE("report: a scale has a few ticks, whatever numbers a log holds", "[report]") {
  for (const std::vector<double>& values : std::vector<std::vector<double>>{{1, 2},
                                                                            {5e3, 1e300},
                                                                            {1e300},
                                                                            {DBL_MAX},
                                                                            {DBL_MIN},
                                                                            {1e-320},
                                                                            {1e-300, 1e300},
                                                                            {0, -1, INFINITY}}) {
    const LogScale scale(values, 0, 100);
    const std::vector<double> ticks = scale.ticks();
    CHECK(!ticks.empty());
    CHECK(ticks.size() < 150);
    for (const double value : values) CHECK((scale.at(value) >= 0 && scale.at(value) <= 100));
  }
}

}  // namespace
}  // namespace dwarfsweep

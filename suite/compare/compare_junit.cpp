// A comparison as JUnit XML, in the form that CI systems read: testsuites, a suite for each device, a case
// for each point. Names come from drivers and files, so that everything is escaped, and what XML 1.0 cannot
// hold (control characters, bytes that are no UTF-8) is replaced.
#include <fmt/format.h>

#include <map>

#include "suite/compare/compare.hpp"
#include "suite/output/table_cells.hpp"

namespace dwarfsweep {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Length of the UTF-8 sequence at the beginning of `text`, of a character that XML 1.0 allows; 0: none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  unsigned code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF || code == 0xFFFE || code == 0xFFFF ? 0 : length;
}

std::string escaped(std::string_view text) {
  std::string xml;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    switch (text[0]) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      case '\'':
        xml += "&apos;";
        break;
      case '\t':
      case '\n':
      case '\r':
        xml += fmt::format("&#{};", static_cast<int>(text[0]));  // else an attribute turns it into a blank
        break;
      default:
        xml += length == 0 ? replacement : text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return xml;
}

struct Suite {
  std::size_t tests = 0, failures = 0, skipped = 0;
  std::string cases;
};

// What is said of the point: its times, and the ratio.
std::string message_of(const ComparedPoint& point) {
  const auto time = [](const MeasurementRow& row) {
    return row.status == "ok" && row.median_ns ? time_text(*row.median_ns) : row.status;
  };
  std::string text =
      fmt::format("{}: {} before, {} now", to_string(point.change), time(*point.before), time(*point.after));
  if (point.ratio) {
    text += fmt::format(", old over new {} {}",
                        ratio_text(point.ratio->ratio, point.ratio->high - point.ratio->low),
                        interval_text(point.ratio->low, point.ratio->high));
  }
  if (!point.allowed.empty()) text += "; allowed: " + point.allowed;
  if (point.change == Change::failing) text += "; " + point.after->reason;
  return text;
}

void add(Suite& suite, const std::string& classname, const std::string& name, const char* element,
         const std::string& message) {
  ++suite.tests;
  suite.cases += fmt::format(R"(    <testcase classname="{}" name="{}")", escaped(classname), escaped(name));
  if (element == nullptr) {
    suite.cases += fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", escaped(message));
    return;
  }
  ++(std::string_view(element) == "failure" ? suite.failures : suite.skipped);
  suite.cases += fmt::format(">\n      <{} message=\"{}\"/>\n    </testcase>\n", element, escaped(message));
}

const char* element_of(const ComparedPoint& point, bool slower_counts) {
  const bool worse = point.change == Change::failing || (point.change == Change::slower && slower_counts);
  if (worse && point.allowed.empty()) return "failure";
  const bool open = point.change == Change::undecided || point.change == Change::incomparable;
  return open || !point.allowed.empty() ? "skipped" : nullptr;
}

}  // namespace

std::string to_junit(const Comparison& comparison) {
  const bool slower_counts = comparison.regressions(Change::slower) >= comparison.rule.min_count;
  std::map<std::string, Suite> suites;  // by device
  for (const ComparedPoint& point : comparison.points)
    add(suites[point.after->device], "dwarfsweep." + point.after->dwarf, point.name,
        element_of(point, slower_counts), message_of(point));
  for (const Drift& drift : comparison.drifts)
    add(suites["history"], "dwarfsweep.history", drift.name, drift.allowed.empty() ? "failure" : "skipped",
        fmt::format("{:.3g} times as long as {} runs ago, on {}", drift.factor, drift.runs, drift.since));
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::string body;
  for (const auto& [name, suite] : suites) {
    tests += suite.tests;
    failures += suite.failures;
    body += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        escaped(name), suite.tests, suite.failures, suite.skipped, suite.cases);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dwarfsweep\" tests=\"{}\" "
      "failures=\"{}\" errors=\"0\">\n{}</testsuites>\n",
      tests, failures, body);
}

}  // namespace dwarfsweep

// A comparison as text, Markdown, JSON, and as JUnit XML in the form that CI systems read: testsuites, a
// suite for each device, a case for each point. Names come from drivers and files, so that everything is
// escaped, and what XML 1.0 cannot hold (control characters, bytes that are no UTF-8) is replaced.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/statistics/statistics.hpp"
#include "suite/compare/compare.hpp"
#include "suite/output/document.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/record/json.hpp"
#include "suite/record/reason.hpp"

namespace dwarfsweep {
namespace {

constexpr std::array<std::string_view, 7> change_names = {"slower", "failing",      "undecided",   "faster",
                                                          "fixed",  "within noise", "incomparable"};

std::string time_or_status(const MeasurementRow& row) {
  return row.status == "ok" && row.median_ns ? time_text(*row.median_ns) : row.status;
}

std::string counted(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string summary(const Comparison& comparison) {
  const auto count = [&](Change change) { return comparison.count(change); };
  std::string text = fmt::format(
      "{} in both runs: {} slower, {} failing now, {} faster, {} fixed, {} within noise, {} incomparable, {} "
      "undecided.",
      counted(comparison.points.size(), "point"), count(Change::slower), count(Change::failing),
      count(Change::faster), count(Change::fixed), count(Change::within_noise), count(Change::incomparable),
      count(Change::undecided));
  if (comparison.only_before + comparison.only_after > 0) {
    text += fmt::format(" {} only in the old run, {} only in the new one.", comparison.only_before,
                        comparison.only_after);
  }
  std::vector<double> ratios;
  for (const ComparedPoint& point : comparison.points) {
    if (point.ratio) ratios.push_back(point.ratio->ratio);
  }
  if (ratios.empty()) return text;
  text += " " + method_sentence(comparison);
  if (!comparison.adjusted && comparison.rule.threshold == 0) {
    // A 95 % interval misses on either side in one case of forty.
    text += fmt::format(" By chance alone about {:.1f} would be reported as slower and as many as faster.",
                        static_cast<double>(ratios.size()) / 40);
  }
  // A shift of a whole run is not visible to intervals that are made within it.
  text += fmt::format(" The median of all ratios is {}", ratio_text(median(ratios), 0));
  return text +
         (comparison.paired ? "." : ": the machine as a whole may have been that much faster or slower.");
}

std::vector<Cell> point_row(const ComparedPoint& point) {
  const std::string change(to_string(point.change));
  std::vector<Cell> cells = cells_of({point.allowed.empty() ? change : change + ", allowed",
                                      point.before->dwarf, point.before->problem, point.setting,
                                      time_or_status(*point.before), time_or_status(*point.after)});
  cells.push_back({{"", "", ""}, ""});
  if (const auto& ratio = point.ratio)
    cells.back().parts = ratio_parts(ratio->ratio, ratio->low, ratio->high, "");
  return cells;
}

// Tables of what changed, one for each device, of at most `rows` rows in all.
Document changes(const Comparison& comparison, std::size_t rows) {
  std::map<std::string, Block> tables;  // by device
  std::size_t left_out = 0;
  for (const ComparedPoint& point : comparison.points) {
    if (point.change == Change::within_noise || point.change == Change::incomparable) continue;
    if (rows == 0) {
      ++left_out;
      continue;
    }
    --rows;
    Block& table = tables[point.after->device];
    table.kind = Block::Kind::table;
    table.header = {"change", "dwarf", "problem", "setting", "before", "now", "before / now"};
    table.leading = 4;
    table.rows.push_back(point_row(point));
  }
  Document document;
  for (auto& [name, table] : tables) {
    document.push_back(subheading(name));
    document.push_back(std::move(table));
  }
  if (left_out > 0) document.push_back(paragraph(fmt::format("{} more; --format json has all.", left_out)));
  return document;
}

std::vector<std::string> drift_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const Drift& drift : comparison.drifts) {
    lines.push_back(fmt::format("{}: {:.3g} times as long as at first, over {} runs since {}{}", drift.name,
                                drift.factor, drift.runs, drift.since,
                                drift.allowed.empty() ? "" : ", allowed: " + drift.allowed));
  }
  return lines;
}

// The lists next to the tables, each with a title unless it is empty.
Document remarks(const Comparison& comparison) {
  Document document;
  const auto add = [&](const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    document.push_back(paragraph(title));
    document.push_back(items(lines));
  };
  constexpr std::size_t most_reasons = 20;
  std::vector<std::string> allowed, reasons;
  for (const ComparedPoint& point : comparison.points) {
    if (!point.allowed.empty()) allowed.push_back(point.name + ": " + point.allowed);
    const MeasurementRow& now = *point.after;
    if (point.change == Change::failing && !now.reason.empty() && reasons.size() < most_reasons)
      reasons.push_back(
          fmt::format("{} {} {}: {}", now.dwarf, now.problem, point.setting, short_reason(now.reason)));
  }
  add("Failing, because:", reasons);
  add("Slower by little in each run, and by much over all of them:", drift_lines(comparison));
  add("Known, and not counted:", allowed);
  add("Of the list of what is known:", comparison.notes);
  return document;
}

void append(Document& document, Document more) {
  for (Block& block : more) document.push_back(std::move(block));
}

Document differences(const Comparison& comparison) {
  if (comparison.differences.empty()) return {};
  return {paragraph("The runs differ in more than time:"), items(comparison.differences)};
}

std::string next_lines(const Comparison& comparison) {
  std::string text;
  for (const std::string& command : comparison.next) text += "next: " + command + "\n";
  return text;
}

std::string shortened(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  const std::string end = "\n\n(shortened)\n";
  std::size_t cut = limit - end.size();
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U)
    --cut;  // not within a character
  return text.substr(0, cut) + end;
}

// JSON has another name for one change, which readers of its reports rely on.
std::string json_name(Change change) {
  return change == Change::fixed ? "mended" : std::string(to_string(change));
}

Json entry_of(const ComparedPoint& point) {
  Json entry = {{"name", point.name},
                {"change", json_name(point.change)},
                {"device", point.after->device},
                {"dwarf", point.after->dwarf},
                {"problem", point.after->problem},
                {"setting", point.setting},
                {"configuration", config_text(*point.after)},
                {"status_before", point.before->status},
                {"status_now", point.after->status},
                {"blocks_before", point.blocks_before},
                {"blocks_now", point.blocks_after}};
  if (point.before->median_ns) entry["before_ns"] = *point.before->median_ns;
  if (point.after->median_ns) entry["now_ns"] = *point.after->median_ns;
  if (point.ratio) {
    entry["ratio"] = point.ratio->ratio;
    entry["low"] = point.ratio->low;
    entry["high"] = point.ratio->high;  // null where a single measurement block gives no bound
  }
  if (!point.allowed.empty()) entry["allowed"] = point.allowed;
  return entry;
}

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
  std::string text = fmt::format("{}: {} before, {} now", to_string(point.change),
                                 time_or_status(*point.before), time_or_status(*point.after));
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

std::string_view to_string(Change change) {
  return change_names.at(static_cast<std::size_t>(change));
}

std::string to_text(const Comparison& comparison) {
  Document document = differences(comparison);
  append(document, changes(comparison, comparison.points.size()));
  append(document, remarks(comparison));
  document.push_back(paragraph(summary(comparison)));
  document.push_back(paragraph(verdict_sentence(comparison)));
  // A command is one line, however long.
  return to_plain_text(document) + next_lines(comparison);
}

std::string to_markdown(const Comparison& comparison) {
  constexpr std::size_t limit = 60'000;
  const auto whole = [&](std::size_t rows) {
    Document document = {heading("dwarfsweep: " + verdict_sentence(comparison)),
                         paragraph(summary(comparison))};
    std::string text = to_markdown(document);
    if (!comparison.next.empty()) text += "\n```\n" + next_lines(comparison) + "```\n";
    document = changes(comparison, rows);
    append(document, remarks(comparison));
    append(document, differences(comparison));
    return document.empty() ? text : text + "\n" + to_markdown(document);
  };
  std::size_t rows = comparison.points.size();
  std::string text = whole(rows);
  while (text.size() > limit && rows > 0) {
    rows /= 2;
    text = whole(rows);
  }
  return shortened(std::move(text), limit);
}

Json to_json_report(const Comparison& comparison) {
  constexpr Change changes[] = {Change::slower, Change::failing,      Change::undecided,   Change::faster,
                                Change::fixed,  Change::within_noise, Change::incomparable};
  Json report;
  report["verdict"] = verdict_sentence(comparison);
  report["exit_status"] = comparison.exit_status();
  report["worse"] = comparison.is_worse();
  report["threshold"] = comparison.rule.threshold;
  report["adjust"] = comparison.adjusted ? "holm" : "none";
  report["confidence"] = comparison.confidence;
  report["paired"] = comparison.paired;
  report["differences"] = comparison.differences;
  report["only_before"] = comparison.only_before;
  report["only_after"] = comparison.only_after;
  for (const Change change : changes) report["counts"][json_name(change)] = comparison.count(change);
  report["points"] = Json::array();
  for (const ComparedPoint& point : comparison.points) report["points"].push_back(entry_of(point));
  report["drifts"] = Json::array();
  for (const Drift& drift : comparison.drifts) {
    report["drifts"].push_back({{"name", drift.name},
                                {"factor", drift.factor},
                                {"runs", drift.runs},
                                {"since", drift.since},
                                {"allowed", drift.allowed}});
  }
  report["notes"] = comparison.notes;
  report["next"] = comparison.next;
  return report;
}

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

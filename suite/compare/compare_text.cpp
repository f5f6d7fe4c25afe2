// A comparison as text and as Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/statistics/quantile.hpp"
#include "suite/compare/compare.hpp"
#include "suite/output/document.hpp"
#include "suite/output/table_cells.hpp"

namespace dwarfsweep {
namespace {

constexpr std::array<std::string_view, 7> change_names = {"slower", "failing",      "undecided",   "faster",
                                                          "fixed",  "within noise", "incomparable"};

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
  const auto time = [](const MeasurementRow& row) {
    return Cell{{row.status == "ok" && row.median_ns ? time_text(*row.median_ns) : row.status}, ""};
  };
  Cell ratio{{"", "", ""}, ""};
  if (point.ratio) {
    const double width = point.ratio->high - point.ratio->low;
    ratio.parts = {ratio_text(point.ratio->ratio, width) + "x",
                   interval_text(point.ratio->low, point.ratio->high), ""};
  }
  const std::string change(to_string(point.change));
  return {{{point.allowed.empty() ? change : change + ", allowed"}, ""},
          {{point.before->dwarf}, ""},
          {{point.before->problem}, ""},
          {{point.setting}, ""},
          time(*point.before),
          time(*point.after),
          ratio};
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

// What stands beside the tables, each with a title where there is anything.
Document remarks(const Comparison& comparison) {
  Document document;
  const auto add = [&](const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    document.push_back(paragraph(title));
    document.push_back(items(lines));
  };
  std::vector<std::string> allowed;
  for (const ComparedPoint& point : comparison.points) {
    if (!point.allowed.empty()) allowed.push_back(point.name + ": " + point.allowed);
  }
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

}  // namespace dwarfsweep

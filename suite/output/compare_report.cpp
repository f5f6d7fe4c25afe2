// A comparison as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/quantile.hpp"
#include "suite/output/compare.hpp"
#include "suite/output/document.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

constexpr std::array<std::string_view, 6> change_names = {"slower", "failing",      "faster",
                                                          "fixed",  "within noise", "incomparable"};

// JSON has another name for one change, which readers of its reports rely on.
std::string json_name(Change change) {
  return change == Change::fixed ? "mended" : std::string(to_string(change));
}

std::string counted(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string summary(const Comparison& comparison) {
  const auto count = [&](Change change) { return comparison.count(change); };
  std::string text = fmt::format(
      "{} in both runs: {} slower, {} failing now, {} faster, {} fixed, {} within noise, {} incomparable.",
      counted(comparison.points.size(), "point"), count(Change::slower), count(Change::failing),
      count(Change::faster), count(Change::fixed), count(Change::within_noise), count(Change::incomparable));
  if (comparison.only_before + comparison.only_after > 0) {
    text += fmt::format(" {} only in the old run, {} only in the new one.", comparison.only_before,
                        comparison.only_after);
  }
  std::vector<double> ratios;
  for (const ComparedPoint& point : comparison.points) {
    if (point.ratio) ratios.push_back(point.ratio->ratio);
  }
  if (ratios.empty()) return text;
  // A 95 % interval misses on either side in one case of forty. A shift of a whole run is not visible to
  // intervals that are made within it.
  return text +
         fmt::format(
             " By chance alone about {:.1f} would be reported as slower and as many as faster. The median "
             "of all ratios is {}: the machine as a whole may have been that much faster or slower.",
             static_cast<double>(ratios.size()) / 40, ratio_text(median(ratios), 0));
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
  return {{{std::string(to_string(point.change))}, ""},
          {{point.before->dwarf}, ""},
          {{point.before->problem}, ""},
          {{point.setting}, ""},
          time(*point.before),
          time(*point.after),
          ratio};
}

}  // namespace

std::string_view to_string(Change change) {
  return change_names.at(static_cast<std::size_t>(change));
}

std::string to_text(const Comparison& comparison) {
  Document document;
  if (!comparison.differences.empty()) {
    document.push_back(paragraph("The runs differ in more than time:"));
    document.push_back(items(comparison.differences));
  }
  std::map<std::string, Block> tables;  // by device
  for (const ComparedPoint& point : comparison.points) {
    if (point.change == Change::within_noise || point.change == Change::incomparable) continue;
    Block& table = tables[point.after->device];
    table.kind = Block::Kind::table;
    table.header = {"change", "dwarf", "problem", "setting", "before", "now", "before / now"};
    table.leading = 4;
    table.rows.push_back(point_row(point));
  }
  for (auto& [name, table] : tables) {
    document.push_back(subheading(name));
    document.push_back(std::move(table));
  }
  document.push_back(paragraph(summary(comparison)));
  return to_plain_text(document);
}

Json to_json_report(const Comparison& comparison) {
  Json report;
  report["differences"] = comparison.differences;
  report["only_before"] = comparison.only_before;
  report["only_after"] = comparison.only_after;
  report["worse"] = comparison.is_worse();
  for (std::size_t i = 0; i < change_names.size(); ++i) {
    const auto change = static_cast<Change>(i);
    report["counts"][json_name(change)] = comparison.count(change);
  }
  report["points"] = Json::array();
  for (const ComparedPoint& point : comparison.points) {
    Json entry = {{"change", json_name(point.change)},
                  {"device", point.after->device},
                  {"dwarf", point.after->dwarf},
                  {"problem", point.after->problem},
                  {"setting", point.setting},
                  {"configuration", config_text(*point.after)},
                  {"status_before", point.before->status},
                  {"status_now", point.after->status}};
    if (point.before->median_ns) entry["before_ns"] = *point.before->median_ns;
    if (point.after->median_ns) entry["now_ns"] = *point.after->median_ns;
    if (point.ratio) {
      entry["ratio"] = point.ratio->ratio;
      entry["low"] = point.ratio->low;
      entry["high"] = point.ratio->high;  // null where a single measurement block gives no bound
    }
    report["points"].push_back(std::move(entry));
  }
  return report;
}

}  // namespace dwarfsweep

// Section 9: this run against an older one.
#include "suite/output/table_cells.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

const char* change_glyph(Change change) {
  switch (change) {
    case Change::slower:
      return "▼";
    case Change::failing:
      return "✕";
    case Change::faster:
      return "▲";
    case Change::fixed:
      return "✓";
    case Change::within_noise:
      return "≈";
    case Change::undecided:
    case Change::incomparable:
      break;
  }
  return "?";
}

std::string cell_time(const MeasurementRow* row) {
  return row != nullptr && row->median_ns ? time_text(*row->median_ns) : row == nullptr ? "" : row->status;
}

std::string ratio_cell(const ComparedPoint& point) {
  if (!point.ratio) return "";
  return ratio_text(point.ratio->ratio, point.ratio->high - point.ratio->low) + "x " +
         interval_text(point.ratio->low, point.ratio->high);
}

}  // namespace

Html against_section(const ReportData& data, const Comparison* comparison) {
  if (comparison == nullptr) {
    return html_section(
        "against", "9 Against an older run",
        markup("<p>No older run was given: <code>dwarfsweep report {} --against OLD</code>.</p>\n",
               data.runs.empty() ? std::string("RUN") : data.runs.front().name));
  }
  Html counts;
  for (const Change change : {Change::slower, Change::failing, Change::faster, Change::fixed,
                              Change::within_noise, Change::incomparable, Change::undecided})
    counts += markup("{}{} {} {}", counts.empty() ? "" : ", ", change_glyph(change),
                     comparison->count(change), to_string(change));
  Html content = markup("<p>{}; {} points only in the older run, {} only in this one. {}</p>\n", counts,
                        comparison->only_before, comparison->only_after, method_sentence(*comparison));
  std::vector<Html> differences;
  for (const std::string& each : comparison->differences) differences.push_back(markup("{}", each));
  if (!differences.empty()) content += html_list(differences);
  HtmlTable table{.caption = markup("Points that changed; old time over new time, above 1 is faster now"),
                  .header = {markup("dwarf"), markup("setting"), markup("change"), markup("before"),
                             markup("now"), markup("ratio")},
                  .numbers = 3};
  for (const ComparedPoint& point : comparison->points) {
    if (point.change == Change::within_noise || point.change == Change::incomparable) continue;
    const MeasurementRow& any = point.after != nullptr ? *point.after : *point.before;
    table.rows.push_back({markup("{}", any.dwarf), markup("{} {}", any.variant, point.setting),
                          markup("{} {}", change_glyph(point.change), to_string(point.change)),
                          markup("{}", cell_time(point.before)), markup("{}", cell_time(point.after)),
                          markup("{}", ratio_cell(point))});
  }
  if (!table.rows.empty()) content += to_html(table);
  return html_section("against", "9 Against an older run", content);
}

}  // namespace dwarfsweep

// Sections 8, 9 and 11: what has no time, and why; against an older run; how it was measured.
#include <algorithm>

#include "suite/output/table_cells.hpp"
#include "suite/record/reason.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

struct LeftOut {
  const MeasurementRow* first;
  std::size_t count;
};

// Points of one device and dwarf with one status and one reason are told once; failures first.
std::vector<LeftOut> left_out_points(const ReportData& data) {
  std::vector<LeftOut> groups;
  for (const MeasurementRow& row : data.rows) {
    if (row.kernel != "total" || row.status == "ok") continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const LeftOut& group) {
      const MeasurementRow& first = *group.first;
      return first.run_id == row.run_id && first.device_id == row.device_id && first.dwarf == row.dwarf &&
             first.status == row.status && short_reason(first.reason) == short_reason(row.reason);
    });
    if (same == groups.end()) {
      groups.push_back({&row, 1});
    } else {
      ++same->count;
    }
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const LeftOut& group) { return is_failed_point(*group.first); });
  return groups;
}

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
  return row == nullptr ? "" : row->median_ns ? time_text(*row->median_ns) : row->status;
}

Html run_lines(const ReportData& data) {
  std::vector<Html> lines;
  for (const ReportRun& run : data.runs) {
    std::string command;
    const auto arguments = run.description.find("arguments");
    if (arguments != run.description.end() && arguments->is_array()) {
      for (const Json& each : *arguments) {
        if (each.is_string()) command += (command.empty() ? "" : " ") + each.get<std::string>();
      }
    }
    const auto text = [&](const char* name) { return text_of(run.description, name); };
    lines.push_back(markup("<b>{}</b>: <code>{}</code>; run {}, {}; program {} {}; kernels {}", run.name,
                           command, text("run_id"), text("timestamp"), text("version"), text("revision"),
                           text("kernels")));
  }
  return html_list(lines);
}

}  // namespace

Html left_out_section(const ReportData& data) {
  const std::vector<LeftOut> groups = left_out_points(data);
  if (groups.empty())
    return html_section("left-out", "8 What was not run, and why",
                        markup("<p>Every planned point has a time.</p>\n"));
  HtmlTable table{.caption = markup("Points without a time. A link leads to the first of them."),
                  .header = {"dwarf", "device", "status", "points", "reason", "the first"},
                  .numbers = 9};
  for (const LeftOut& group : groups) {
    const MeasurementRow& row = *group.first;
    table.rows.push_back({row.dwarf, row.device, markup("{}{}", is_failed_point(row) ? "✕ " : "", row.status),
                          group.count, short_reason(row.reason),
                          markup("<a class=\"pt\" href=\"#r{}\">{}</a>", index_of(data, row), row.variant)});
  }
  return html_section(
      "left-out", "8 What was not run, and why",
      to_html(table) + markup("<p class=\"note\">rejected: cannot be legal here. unsupported: the device "
                              "lacks what the point needs. not_run: the budget or a failing variant left it "
                              "out; <code>sweep --resume</code> measures it.</p>\n"));
}

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
  if (!comparison->differences.empty())
    content += html_list(std::vector<Html>(comparison->differences.begin(), comparison->differences.end()));
  HtmlTable table{.caption = markup("Points that changed; old time over new time, above 1 is faster now"),
                  .header = {"dwarf", "setting", "change", "before", "now", "ratio"},
                  .numbers = 3};
  for (const ComparedPoint& point : comparison->points) {
    if (point.change == Change::within_noise || point.change == Change::incomparable) continue;
    const MeasurementRow& any = point.after != nullptr ? *point.after : *point.before;
    table.rows.push_back({any.dwarf, markup("{} {}", any.variant, point.setting),
                          markup("{} {}", change_glyph(point.change), to_string(point.change)),
                          cell_time(point.before), cell_time(point.after),
                          point.ratio ? gain_text(*point.ratio) : ""});
  }
  if (!table.rows.empty()) content += to_html(table);
  return html_section("against", "9 Against an older run", content);
}

Html method_section(const ReportData& data) {
  const Html rules = markup(
      "<ul>\n"
      "<li>Every result is checked against a reference before it is timed; a wrong one has no time.</li>\n"
      "<li>A <b>measurement block</b> is a few pairs of baseline and setting in random order, one right "
      "after "
      "the other. Blocks of all settings take turns, round by round, so that drift hits all alike.</li>\n"
      "<li>A <b>speedup</b> is, per block, the median over its pairs of ln(baseline / setting), and the "
      "median "
      "of these over the blocks. Its 95 % interval takes one number per block, since samples within a block "
      "depend on each other. An interval that contains 1 is within noise.</li>\n"
      "<li>The best candidate is selected by such samples, which favours it; so it is measured again, and "
      "its "
      "row has those blocks alone.</li>\n"
      "<li>A <b>time</b> is that of a whole run: from inputs resident on the device to results complete "
      "where "
      "the next step needs them.</li>\n"
      "<li><b>Of peak</b>: the time that the dwarf's bytes or operations, each counted once, take at the "
      "device's measured peak, over the time.</li>\n"
      "<li>Glossary. Dwarf: a computational pattern. Axis: a parameter of a kernel. Variant: an algorithm. "
      "Point: one setting of all axes for one problem on one device. Context: the values of all other axes, "
      "with dwarf, problem and device. Round: every point measured once.</li>\n</ul>\n");
  return html_section("method", "11 Method", run_lines(data) + rules);
}

}  // namespace dwarfsweep

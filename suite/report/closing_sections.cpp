// What has no time, and why; against an older run; how it was measured.
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "suite/output/table_cells.hpp"
#include "suite/record/json.hpp"
#include "suite/record/reason.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

// The points of one dwarf and device with one status and one reason: a line of the table.
struct LeftOut {
  const MeasurementRow* first;
  std::size_t count;
};

// What to call them, their status, and why they have no time.
struct LeftOutKind {
  const char* title;
  const char* meaning;
  std::function<bool(const std::string& status)> holds;
  bool folded;
};

Html left_out_table(const ReportData& data, const LeftOutKind& kind) {
  std::vector<LeftOut> groups;
  std::size_t points = 0;
  for (const MeasurementRow& row : data.rows) {
    if (row.kernel != "total" || row.status == "ok" || !kind.holds(row.status)) continue;
    ++points;
    const auto same = std::ranges::find_if(groups, [&](const LeftOut& group) {
      const MeasurementRow& first = *group.first;
      return device_key(first) == device_key(row) && first.dwarf == row.dwarf && first.status == row.status &&
             short_reason(first.reason) == short_reason(row.reason);
    });
    if (same == groups.end()) {
      groups.push_back({&row, 1});
    } else {
      ++same->count;
    }
  }
  if (groups.empty()) return {};
  HtmlTable table{.caption = kind.meaning,
                  .header = {"dwarf", "device", "status", "points", "reason", "the first"},
                  .numbers = 99};
  for (const LeftOut& group : groups) {
    const MeasurementRow& row = *group.first;
    const auto column = column_of(data, row);
    table.rows.push_back({row.dwarf, column ? data.names[*column] : row.device, outcome_text(row),
                          group.count, short_reason(row.reason), point_name(data, row, row.variant)});
  }
  const Html title = markup("{}: {} points", kind.title, points);
  return kind.folded ? html_details(title, to_html(table)) : markup("<h3>{}</h3>\n", title) + to_html(table);
}

const char* change_mark(Change change) {
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
  return row == nullptr ? "" : row->median_ns ? time_text(*row->median_ns) : outcome_text(*row);
}

Html run_lines(const ReportData& data) {
  std::vector<Html> lines;
  for (const ReportRun& run : data.runs) {
    std::string command;
    const auto arguments = run.description->find("arguments");
    if (arguments != run.description->end() && arguments->is_array()) {
      for (const Json& each : *arguments) {
        if (each.is_string()) command += (command.empty() ? "" : " ") + each.get<std::string>();
      }
    }
    const auto text = [&](const char* name) { return text_of(*run.description, name); };
    lines.push_back(markup("<b>{}</b>: <code>{}</code>; run {}, {}; program {} {}; kernels {}", run.name,
                           command, text("run_id"), text("timestamp"), text("version"), text("revision"),
                           text("kernels")));
  }
  return html_list(lines);
}

}  // namespace

Html left_out_section(const ReportData& data) {
  const auto is = [](Status status) {
    return [status](const std::string& text) { return text == to_string(status); };
  };
  const std::vector<LeftOutKind> kinds = {
      {"✕ Failed", "These points should have given a result, and did not.",
       [](const std::string& status) { return is_failure(status); }, false},
      {"⊘ Unsupported by the device", "The device lacks a capability that these points need.",
       is(Status::unsupported), false},
      {"· Not run", "The budget or a failing variant left them out; “sweep --resume RUN” measures them.",
       is(Status::not_run), true},
      {"– Not applicable", "A constraint of the dwarf rules these combinations out. That is not a defect.",
       is(Status::rejected), true}};
  Html content;
  for (const LeftOutKind& kind : kinds) content += left_out_table(data, kind);
  return content;
}

Html against_section(const ReportData& data, const Comparison* comparison) {
  if (comparison == nullptr) return {};
  Html counts;
  for (const Change change : {Change::slower, Change::failing, Change::faster, Change::fixed,
                              Change::within_noise, Change::incomparable, Change::undecided})
    counts += markup("{}{} {} {}", counts.empty() ? "" : ", ", change_mark(change), comparison->count(change),
                     to_string(change));
  Html content =
      markup("<p>{}; {} points only in the older run, {} only in {}. {}</p>\n", counts,
             comparison->only_before, comparison->only_after,
             data.runs.empty() ? "this one" : data.runs.front().name, method_sentence(*comparison));
  if (!comparison->differences.empty())
    content += html_list(std::vector<Html>(comparison->differences.begin(), comparison->differences.end()));
  HtmlTable table{
      .caption = "Points that changed; the ratio is old time over new time, so above 1 is faster now",
      .header = {"dwarf", "setting", "change", "before", "now", "ratio"},
      .numbers = 3};
  for (const ComparedPoint& point : comparison->points) {
    if (point.change == Change::within_noise || point.change == Change::incomparable) continue;
    const MeasurementRow& any = point.after != nullptr ? *point.after : *point.before;
    table.rows.push_back({any.dwarf, markup("{} {}", any.variant, point.setting),
                          markup("{} {}", change_mark(point.change), to_string(point.change)),
                          cell_time(point.before), cell_time(point.after),
                          point.ratio ? gain_text(*point.ratio) : ""});
  }
  return table.rows.empty() ? content : content + to_html(table);
}

Html method_section(const ReportData& data) {
  return run_lines(data) +
         markup(
             "<ul>\n"
             "<li>Every result is checked against a reference before it is timed. A wrong result has no "
             "time.</li>\n"
             "<li>A <b>measurement block</b> is a few pairs of baseline and setting in random order. Blocks "
             "of all "
             "settings alternate, round by round, so drift affects all alike.</li>\n"
             "<li>A <b>speedup</b> is the median over the blocks of each block's median of ln(baseline / "
             "setting). "
             "Its 95 % interval takes one number per block, because samples within a block depend on each "
             "other. If "
             "it contains 1, the setting is within noise.</li>\n"
             "<li>The fastest of many candidates is partly lucky. So the best candidate is "
             "<b>re-measured</b>, and "
             "its row has those blocks alone.</li>\n"
             "<li>A <b>time</b> is that of a whole execution, from inputs resident on the device to complete "
             "results.</li>\n"
             "<li><b>Of peak</b> is the time that the dwarf's bytes or operations, each counted once, take "
             "at the "
             "device's measured peak, over the time. The limit is the largest of memory, compute and "
             "launch.</li>\n"
             "<li><b>Dwarf</b>: a computational pattern, after Berkeley's dwarfs. <b>Variant</b>: an "
             "algorithm. "
             "<b>Setting</b>: the values that differ from the baseline. <b>Point</b>: one setting for one "
             "problem on "
             "one device. <b>Context</b>: the values of all other axes, with dwarf, problem and "
             "device.</li>\n</ul>\n");
}

}  // namespace dwarfsweep

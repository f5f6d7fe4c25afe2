// Section 8: what has no time, and why.
#include <algorithm>

#include "suite/record/reason.hpp"
#include "suite/report/sections.hpp"
#include "suite/report/wording.hpp"

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

}  // namespace

Html left_out_section(const ReportData& data) {
  const std::vector<LeftOut> groups = left_out_points(data);
  if (groups.empty())
    return html_section("left-out", "8 What was not run, and why",
                        markup("<p>Every planned point has a time.</p>\n"));
  HtmlTable table{.caption = markup("Points without a time. A link leads to the first of them."),
                  .header = {markup("dwarf"), markup("device"), markup("status"), markup("points"),
                             markup("reason"), markup("the first")},
                  .numbers = 9};
  for (const LeftOut& group : groups) {
    const MeasurementRow& row = *group.first;
    table.rows.push_back({markup("{}", row.dwarf), markup("{}", row.device),
                          markup("{}{}", is_failed_point(row) ? "✕ " : "", row.status),
                          markup("{}", group.count), markup("{}", short_reason(row.reason)),
                          markup("<a class=\"pt\" href=\"#r{}\">{}</a>", index_of(data, row), row.variant)});
  }
  return html_section(
      "left-out", "8 What was not run, and why",
      to_html(table) + markup("<p class=\"note\">rejected: cannot be legal here. unsupported: the device "
                              "lacks what the point needs. not_run: the budget or a failing variant left "
                              "it out; <code>sweep --resume</code> measures it.</p>\n"));
}

}  // namespace dwarfsweep

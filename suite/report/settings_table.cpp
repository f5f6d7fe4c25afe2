#include "suite/report/settings_table.hpp"

#include <algorithm>
#include <cmath>

#include "dwarfs/registry.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/record/reason.hpp"
#include "suite/report/figure.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

constexpr double bar_width = 170;

struct PlannedSetting {
  const Setting* setting;
  const MeasurementRow* row;
};

std::vector<PlannedSetting> planned_settings(const SettingTable& table, std::size_t column) {
  std::vector<PlannedSetting> planned;
  for (const Setting& setting : table.settings) {
    if (setting.cells[column] != nullptr) planned.push_back({&setting, setting.cells[column]});
  }
  std::stable_sort(planned.begin(), planned.end(), [](const PlannedSetting& a, const PlannedSetting& b) {
    const bool a_timed = is_timed(a.row);
    const bool b_timed = is_timed(b.row);
    if (!a_timed || !b_timed) return a_timed && !b_timed;
    return *a.row->median_ns < *b.row->median_ns;
  });
  return planned;
}

LogScale scale_of_speedups(const std::vector<PlannedSetting>& planned) {
  std::vector<double> values = {1};
  for (const PlannedSetting& each : planned) {
    if (is_timed(each.row) && each.row->speedup) values.push_back(*each.row->speedup);
  }
  return {values, 5, bar_width - 5};
}

Html interval_bar(const LogScale& scale, const MeasurementRow& row) {
  if (!row.speedup) return {};
  const double high = row.speedup_high.value_or(*row.speedup);
  const double from = scale.at(row.speedup_low.value_or(0) > 0 ? *row.speedup_low : 1e-9);
  const double to = scale.at(std::isfinite(high) ? high : 1e9);
  const double x = scale.at(*row.speedup);
  const std::string kind = row.baseline              ? "base"
                           : row.verdict == "faster" ? "up"
                           : row.verdict == "slower" ? "down"
                                                     : "same";
  Html shape = markup("<circle class=\"{}\" cx=\"{}\" cy=\"8\" r=\"3.5\"/>", kind, pixel(x));
  if (kind == "up") shape = markup("<path class=\"up\" d=\"M{} 3.5l4.5 8h-9z\"/>", pixel(x));
  if (kind == "down") shape = markup("<path class=\"down\" d=\"M{} 12.5l4.5-8h-9z\"/>", pixel(x));
  return markup(
      "<svg class=\"bar\" viewBox=\"0 0 170 16\" aria-hidden=\"true\"><path class=\"one\" d=\"M{} 0V16\"/>"
      "<path class=\"ci\" d=\"M{} 8H{}\"/>{}</svg>",
      pixel(scale.at(1)), pixel(from), pixel(to), shape);
}

Html setting_line(const ReportData& data, const PlannedSetting& each, const LogScale& scale,
                  Footnotes& notes) {
  const MeasurementRow& row = *each.row;
  const std::size_t index = index_of(data, row);
  const bool partial = !gives_whole_result(row.dwarf, row.variant);
  const Html name = markup("<th scope=\"row\"><a class=\"pt\" href=\"#r{}\">{}</a>{}</th>", index,
                           each.setting->label, partial ? " ◔" : "");
  if (!is_timed(&row)) {
    const std::string status = row.status == "ok" ? "no samples" : row.status;
    return markup("<tr id=\"r{}\">{}<td colspan=\"4\">✕ {} {}</td></tr>\n", index, name, status,
                  notes.mark(status + ": " + short_reason(row.reason)));
  }
  const std::string peak = row.peak_fraction ? per_cent_text(*row.peak_fraction) + " " + row.bound : "";
  const std::string note = row.reason.empty() ? "" : " " + notes.mark(short_reason(row.reason));
  return markup(
      "<tr id=\"r{}\">{}<td class=\"n\">{} {}{}</td><td>{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td></tr>\n",
      index, name, row.baseline ? "baseline" : speedup_text(row), verdict_glyph(row), note,
      interval_bar(scale, row), time_text(*row.median_ns), peak);
}

}  // namespace

Html settings_table(const ReportData& data, const SettingTable& table, std::size_t column) {
  const std::vector<PlannedSetting> planned = planned_settings(table, column);
  if (planned.empty()) return {};
  const LogScale scale = scale_of_speedups(planned);
  Footnotes notes;
  Html lines;
  for (const PlannedSetting& each : planned) lines += setting_line(data, each, scale, notes);
  Html content = markup(
      "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"settings\"><table class=\"settings\">"
      "<caption><span>{}, {}: settings, the quickest first. The line is at the baseline; further right is "
      "faster. ◔ gives part of the result, and is never named the best.</span></caption><thead><tr><th "
      "scope=\"col\">setting</th><th scope=\"col\">speedup</th><th "
      "scope=\"col\">slower · faster</th><th scope=\"col\">time</th><th scope=\"col\">of "
      "peak</th></tr></thead>"
      "<tbody>\n{}</tbody></table></div>\n",
      problem_text(table), column_name(data.model.columns[column]), lines);
  const std::vector<std::string> footnotes = notes.lines();
  if (footnotes.empty()) return content;
  Html items;
  for (const std::string& line : footnotes) items += markup("<li>{}</li>", line);
  return content + markup("<ul class=\"notes\">{}</ul>\n", items);
}

}  // namespace dwarfsweep

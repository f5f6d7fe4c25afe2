// Section 1: the answer on one screen.
#include <map>

#include "suite/output/table_cells.hpp"
#include "suite/report/device_kinds.hpp"
#include "suite/report/portability_view.hpp"
#include "suite/report/sections.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

Html device_lines(const ReportData& data) {
  std::vector<Html> lines;
  for (const DeviceColumn& column : data.model.columns) {
    const MeasurementRow& row = *column.any;
    lines.push_back(markup("<b>{}</b> {} ({}; {}; driver {}), host {}, {}", column.letter, row.device,
                           row.device_type, row.platform, row.driver, row.host, row.timestamp.substr(0, 10)));
  }
  return lines.empty() ? markup("<p>No device was measured.</p>\n") : html_list(lines);
}

Html verdict_sentence(const MeasuredTable& measured) {
  const MeasurementRow& row = *measured.best.row;
  const Html name = markup("<a href=\"#d-{}\"><b>{}</b></a>", measured.table->dwarf, measured.table->dwarf);
  const std::string bound = bound_text(row);
  const Html tail = markup("{}{}, {} ({})", bound.empty() ? "" : "; ", bound, time_text(*row.median_ns),
                           measured.table->size);
  if (measured.best.setting->baseline) {
    return markup("{}: ● no setting is faster than the baseline by more than noise{}", name, tail);
  }
  if (!row.speedup) {
    return markup("{}: shortest time by {}, with no baseline to compare it with{}", name,
                  measured.best.setting->label, tail);
  }
  return markup("{}: {} <b>{}</b> by {}{}{}", name, verdict_glyph(row), speedup_text(row),
                measured.best.setting->label, row.stop_reason == confirmed ? "" : " (not re-measured)", tail);
}

Html what_failed(const ReportData& data) {
  std::map<std::string, std::size_t> counts;
  std::size_t points = 0;
  std::size_t failed = 0;
  for (const MeasurementRow& row : data.rows) {
    if (row.kernel != "total") continue;
    ++points;
    ++counts[row.status];
    if (is_failed_point(row)) ++failed;
  }
  Html list;
  for (const auto& [status, count] : counts)
    list += markup("{}{} {}", list.empty() ? "" : ", ", count, status);
  return failed == 0
             ? markup("<p>✓ Nothing failed. {} points: {} (<a href=\"#left-out\">why</a>).</p>\n", points,
                      list)
             : markup("<p>✕ <b>{} points failed</b> (<a href=\"#left-out\">why</a>). {} points: {}.</p>\n",
                      failed, points, list);
}

}  // namespace

Html verdict_section(const ReportData& data) {
  Html content = device_lines(data);
  const std::vector<MeasuredTable> tables = measured_tables(data);
  for (std::size_t column = 0; column < data.model.columns.size(); ++column) {
    std::vector<Html> sentences;
    for (const MeasuredTable& measured : tables) {
      if (measured.column == column) sentences.push_back(verdict_sentence(measured));
    }
    if (sentences.empty()) continue;
    const Html list = html_list(sentences);
    const std::string name = column_name(data.model.columns[column]);
    content += is_transfer(data, data.model.columns[column])
                   ? markup(
                         "<details><summary>{}: the best of those points that were best in other "
                         "runs</summary>{}</details>\n",
                         name, list)
                   : markup("<h3>{}: best setting of each dwarf over its baseline</h3>\n", name) + list;
  }
  content += portability_summary(data);
  content += device_kinds_summary(data, told_effects(data));
  content += what_failed(data);
  content += markup(
      "<p class=\"note\">Speedups are of whole runs, from paired samples, with their 95 % interval. The best "
      "candidate is re-measured, and its speedup is of those samples alone. ▲ faster, ▼ slower, ≈ within "
      "noise, ● baseline, ✕ no result.</p>\n");
  return html_section("verdict", "1 Verdict", content);
}

}  // namespace dwarfsweep

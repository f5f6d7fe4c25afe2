// Sections 1 and 2: the answer on one screen, and whether its numbers can be trusted.
#include <algorithm>
#include <cmath>
#include <map>

#include "harness/statistics/statistics.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/report/payoff.hpp"
#include "suite/report/portability.hpp"
#include "suite/report/sections.hpp"

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
  std::size_t points = 0, failed = 0;
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

bool is_of_column(const MeasurementRow& row, const DeviceColumn& column) {
  return row.run_id == column.any->run_id && row.device_id == column.any->device_id;
}

// Half the interval's width over the speedup, of each point that has one.
std::vector<double> half_widths(const ReportData& data, const DeviceColumn& column) {
  std::vector<double> widths;
  for (const MeasurementRow& row : data.rows) {
    if (row.kernel != "total" || row.baseline || !row.speedup || !is_of_column(row, column)) continue;
    const double high = row.speedup_high.value_or(INFINITY);
    widths.push_back(std::isfinite(high) ? (high - row.speedup_low.value_or(0)) / (2 * *row.speedup)
                                         : INFINITY);
  }
  return widths;
}

// Baselines by round, each relative to its own median: what all points of a round share.
std::map<std::int64_t, double> drift_by_round(const ReportData& data, const DeviceColumn& column) {
  std::map<std::int64_t, std::vector<double>> shares;
  for (const MeasurementRow& row : data.rows) {
    if (row.kernel != "total" || !is_of_column(row, column)) continue;
    std::map<std::int64_t, std::vector<double>> of_point;
    std::vector<double> all;
    for (const ReportBlock& block : round_blocks(data, row)) {
      for (const SamplePair& pair : block.pairs) {
        of_point[block.round].push_back(pair.baseline_ns);
        all.push_back(pair.baseline_ns);
      }
    }
    if (of_point.size() < 2) continue;
    const double middle = median(all);
    for (const auto& [round, times] : of_point) shares[round].push_back(median(times) / middle);
  }
  std::map<std::int64_t, double> drift;
  for (const auto& [round, values] : shares) drift[round] = median(values);
  return drift;
}

Html self_comparisons(const ReportData& data, const DeviceColumn& column) {
  std::size_t baselines = 0, off = 0, throttled = 0, told = 0;
  for (const MeasurementRow& row : data.rows) {
    if (row.kernel != "total" || !is_of_column(row, column)) continue;
    if (row.baseline && !row.verdict.empty()) {
      ++baselines;
      if (row.verdict != "within_noise") ++off;
    }
    if (!row.throttled.empty()) ++told;
    if (row.throttled == "true") ++throttled;
  }
  return markup("<li>{} the baseline against itself is within noise for {} of {} dwarfs</li>\n<li>{}</li>\n",
                off == 0 ? "✓" : "✕", baselines - off, baselines,
                told == 0        ? std::string("? the device does not report whether it was throttled")
                : throttled == 0 ? fmt::format("✓ not throttled during any of {} points", told)
                                 : fmt::format("✕ throttled during {} of {} points", throttled, told));
}

std::string per_cent(double share) {
  return fmt::format("{:.2g} %", 100 * share);
}

Html timer_lines(const ReportData& data, const DeviceColumn& column) {
  const Json* const device = device_description(data, column);
  const MeasurementRow& row = *column.any;
  Html lines = markup("<li>{}</li>\n", row.timer == "host"
                                           ? "✕ timed by the host's clock: the device's failed the self-test"
                                           : "✓ the device's timer passed its self-test");
  const auto tested = [&](const char* name) { return device_number(device, "selftest", name); };
  const double trusted = tested("trusted_to_one_percent");
  if (std::isnan(trusted)) return lines + markup("<li>? this run has no self-test of the harness</li>\n");
  return lines + markup(
                     "<li>{} two measurements of one kernel: ratio {:.4f} ± {}; ten times the work takes "
                     "{:.3f} times ten; {:.1f} % of the wall time is within kernels</li>\n",
                     trusted != 0 ? "✓" : "≈", tested("self_comparison"), per_cent(tested("half_width")),
                     tested("linearity"), 100 * tested("event_share"));
}

Html width_lines(std::vector<double> widths) {
  if (widths.empty()) return {};
  const auto below = [&](double limit) {
    return std::count_if(widths.begin(), widths.end(), [&](double width) { return width <= limit; });
  };
  std::ranges::sort(widths);
  const double middle = widths[widths.size() / 2];
  return markup(
      "<li>half-widths of {} intervals: {} of them within 1 %, {} within 3 %, {} within 10 %; median "
      "{}</li>\n"
      "<li>about {:.0f} of these intervals are expected to miss, at 95 % each</li>\n",
      widths.size(), below(0.01), below(0.03), below(0.1),
      std::isfinite(middle) ? per_cent(middle) : "unknown",
      std::ceil(0.05 * static_cast<double>(widths.size())));
}

Html drift_figure(const DeviceColumn& column, std::size_t series,
                  const std::map<std::int64_t, double>& drift) {
  if (drift.size() < 2) return {};
  std::vector<double> values = {0.99, 1.01};
  for (const auto& [round, share] : drift) values.push_back(share);
  Figure figure{.title = fmt::format("{}: baselines by round, over their own median", column_name(column)),
                .description = "drift of the machine during the run, which pairs cancel",
                .height = 130};
  const LogScale scale(values, 118, 14);
  figure.content = y_axis(scale, 46, 700, "");
  const double step = 650 / static_cast<double>(drift.size());
  HtmlTable table{.caption = markup("Drift"), .header = {"round", "baselines over their median"}};
  double x = 50 + step / 2;
  for (const auto& [round, share] : drift) {
    figure.content += marker(series, x, scale.at(share));
    table.rows.push_back({markup("{}", round + 1), markup("{:.4f}", share)});
    x += step;
  }
  return to_html(figure) + markup("<details><summary>numbers</summary>{}</details>\n", to_html(table));
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

Html trust_section(const ReportData& data) {
  Html content;
  for (std::size_t i = 0; i < data.model.columns.size(); ++i) {
    const DeviceColumn& column = data.model.columns[i];
    content += markup("<h3>{}</h3>\n<ul>\n{}{}{}</ul>\n", column_name(column), timer_lines(data, column),
                      self_comparisons(data, column), width_lines(half_widths(data, column)));
    content += drift_figure(column, i, drift_by_round(data, column));
  }
  return html_section("trust", "2 Trust", content);
}

}  // namespace dwarfsweep

// Dwarf by dwarf: what it is, its settings, the share of each kernel, its samples.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "dwarfs/registry.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/record/reason.hpp"
#include "suite/report/sections.hpp"

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
  std::ranges::stable_sort(planned, {}, [](const PlannedSetting& each) {
    return is_timed(each.row) ? *each.row->median_ns : INFINITY;
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
      "<svg class=\"bar\" viewBox=\"0 0 170 16\" aria-hidden=\"true\"><path class=\"one\" d=\"M{} "
      "0V16\"/><path class=\"ci\" d=\"M{} 8H{}\"/>{}</svg>",
      pixel(scale.at(1)), pixel(from), pixel(to), shape);
}

// What stands behind a time: whether it was re-measured, and what the row says of it.
Html time_note(const MeasurementRow& row, Footnotes& notes) {
  Html note;
  if (row.stop_reason == confirmed) note += markup(" <small>re-measured</small>");
  if (!gives_whole_result(row.dwarf, row.variant)) note += markup(" <small>part of the result</small>");
  if (!row.reason.empty()) note += markup(" {}", notes.mark(short_reason(row.reason)));
  return note;
}

Html setting_line(const ReportData& data, const PlannedSetting& each, const LogScale& scale,
                  Footnotes& notes) {
  const MeasurementRow& row = *each.row;
  const Html name = markup("<tr id=\"r{}\"><th scope=\"row\">{}</th>", index_of(data, row),
                           point_name(data, row, each.setting->label));
  if (!is_timed(&row))
    return name +
           markup("<td>{}</td><td colspan=\"3\">{}</td></tr>\n", outcome_text(row), short_reason(row.reason));
  return name + markup("<td class=\"n\">{} {}</td><td>{}</td><td class=\"n\">{}{}</td><td>{}</td></tr>\n",
                       row.baseline ? "baseline" : speedup_text(row), point_mark(row),
                       interval_bar(scale, row), time_text(*row.median_ns), time_note(row, notes),
                       peak_text(row));
}

Html table_of_settings(const Html& caption, std::initializer_list<const char*> header, const Html& lines) {
  Html head;
  for (const char* cell : header) head += markup("<th scope=\"col\">{}</th>", cell);
  return html_wide(
      "settings",
      markup("<table class=\"settings\"><caption><span>{}</span></caption><thead><tr>{}</tr></thead><tbody>\n"
             "{}</tbody></table>",
             caption, head, lines));
}

// Settings without a time, in folds: one for each status and reason.
Html untried_settings(const ReportData& data, const std::vector<const PlannedSetting*>& untried,
                      const std::string& device) {
  std::map<std::pair<std::string, std::string>, std::vector<const PlannedSetting*>> by_reason;
  std::map<std::string, std::size_t> counts;
  for (const PlannedSetting* each : untried) {
    by_reason[{outcome_text(*each->row), short_reason(each->row->reason)}].push_back(each);
    ++counts[outcome_text(*each->row)];
  }
  Html folds;
  for (const auto& [why, settings] : by_reason) {
    const auto& [outcome, reason] = why;
    Html lines;
    for (const PlannedSetting* each : settings)
      lines += markup("<tr id=\"r{}\"><th scope=\"row\">{}</th></tr>\n", index_of(data, *each->row),
                      point_name(data, *each->row, each->setting->label));
    folds += html_details(markup("{} × {}{}{}", settings.size(), outcome, reason.empty() ? "" : ": ", reason),
                          table_of_settings({}, {"setting"}, lines));
  }
  std::vector<std::string> parts;
  for (const auto& [outcome, count] : counts) parts.push_back(fmt::format("{} {}", count, outcome));
  return html_details(
      markup("{} setting{} without a time on {}: {}", untried.size(), untried.size() == 1 ? "" : "s", device,
             fmt::format("{}", fmt::join(parts, ", "))),
      folds);
}

// What has a time or failed, and folded below what was never tried there.
Html settings_table(const ReportData& data, const SettingTable& table, std::size_t column) {
  const std::vector<PlannedSetting> planned = planned_settings(table, column);
  if (planned.empty()) return {};
  const LogScale scale = scale_of_speedups(planned);
  Footnotes notes;
  Html lines;
  std::vector<const PlannedSetting*> untried;
  for (const PlannedSetting& each : planned) {
    if (each.row->status == "ok" || is_failure(each.row->status)) {
      lines += setting_line(data, each, scale, notes);
    } else {
      untried.push_back(&each);
    }
  }
  Html content;
  if (!lines.empty())
    content += table_of_settings(markup("<b>{}</b>: settings by time. The line in the bars is the baseline; "
                                        "further right is faster. The best "
                                        "candidate is measured again, so its row may not be the first.",
                                        data.names[column]),
                                 {"setting", "speedup", "slower · faster", "time", "of peak, limit"}, lines);
  Html items;
  for (const std::string& line : notes.lines()) items += markup("<li>{}</li>", line);
  if (!items.empty()) content += markup("<ul class=\"notes\">{}</ul>\n", items);
  return untried.empty() ? content : content + untried_settings(data, untried, data.names[column]);
}

struct ShownRow {
  const char* label;
  const MeasurementRow* row;
};
std::vector<ShownRow> shown_rows(const MeasuredTable& measured) {
  std::vector<ShownRow> rows;
  if (measured.baseline != nullptr) rows.push_back({"baseline", measured.baseline});
  if (measured.best.row != measured.baseline) rows.push_back({"best", measured.best.row});
  return rows;
}

constexpr double share_width = 480;

struct KernelPart {
  std::string kernel;
  double ns = 0;
};

std::vector<KernelPart> kernel_parts(const ReportData& data, const MeasurementRow& total) {
  std::vector<KernelPart> parts;
  const std::string point = point_text(total);
  for (const MeasurementRow& row : data.rows) {
    if (row.kernel != "total" && row.median_ns && row.dwarf == total.dwarf && point_text(row) == point)
      parts.push_back({row.kernel, *row.median_ns});
  }
  return parts;
}

// What is not within a kernel: gaps between them, and the host's work.
void add_rest(std::vector<KernelPart>& parts, const MeasurementRow& total) {
  double sum = 0;
  for (const KernelPart& part : parts) sum += part.ns;
  if (*total.median_ns > sum) parts.push_back({"between kernels, host", *total.median_ns - sum});
}

Html kernel_share_figure(const ReportData& data, const MeasuredTable& measured) {
  Figure figure{.title = "Share of each kernel in a whole execution"};
  HtmlTable table{.header = {"setting", "kernel", "median", "share"}, .numbers = 2};
  std::vector<std::string> kernels;
  double y = 4;
  for (const ShownRow& each : shown_rows(measured)) {
    std::vector<KernelPart> parts = kernel_parts(data, *each.row);
    if (parts.empty()) continue;
    add_rest(parts, *each.row);
    double sum = 0;
    for (const KernelPart& part : parts) sum += part.ns;
    double x = 80;
    figure.content += markup("<text class=\"t e\" x=\"74\" y=\"{}\">{}</text>", pixel(y + 14), each.label);
    for (const KernelPart& part : parts) {
      auto known = std::find(kernels.begin(), kernels.end(), part.kernel);
      if (known == kernels.end()) known = kernels.insert(kernels.end(), part.kernel);
      const double width = share_width * part.ns / sum;
      const auto series = static_cast<std::size_t>(known - kernels.begin());
      figure.content += markup(
          "<rect class=\"s{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"20\"><title>{}: {:.1f} "
          "%</title></rect>",
          series % 8, pixel(x), pixel(y), pixel(width), part.kernel, 100 * part.ns / sum);
      if (width > 14)
        figure.content += markup("<text class=\"t m k\" x=\"{}\" y=\"{}\">{}</text>", pixel(x + width / 2),
                                 pixel(y + 14), series + 1);
      table.rows.push_back({each.label, markup("{} {}", series + 1, part.kernel), time_text(part.ns),
                            markup("{:.1f} %", 100 * part.ns / sum)});
      x += width;
    }
    y += 26;
  }
  if (table.rows.empty()) return {};
  figure.width = 80 + share_width + 4;
  figure.height = y;
  figure.description = "stacked bars; the table below has the numbers";
  return to_html(figure) + html_details("numbers", to_html(table));
}

constexpr std::size_t max_drawn = 60;

// The samples of the baseline or the best setting, block by block.
struct Strip {
  const char* label;
  const std::vector<ReportBlock>* blocks;
  std::vector<double> ns = {};
  double median_ns = 0;
};

std::vector<Strip> strips_of(const ReportData& data, const MeasuredTable& measured) {
  std::vector<Strip> strips;
  for (const auto& [label, row] : shown_rows(measured)) {
    const auto found = data.blocks.find(point_text(*row));
    if (found == data.blocks.end()) continue;
    Strip strip{label, &found->second};
    for (const ReportBlock& block : found->second)
      strip.ns.insert(strip.ns.end(), block.ns.begin(), block.ns.end());
    if (strip.ns.empty()) continue;
    strip.median_ns = median(strip.ns);
    strips.push_back(std::move(strip));
  }
  return strips;
}

// Relative to the strip's own median, so that both fit on one axis.
Html dots_of(const Strip& strip, const LogScale& scale, double y, std::size_t series) {
  Html dots;
  const std::size_t step = (strip.ns.size() + max_drawn - 1) / max_drawn;
  std::size_t sample = 0;
  for (std::size_t i = 0; i < strip.blocks->size(); ++i) {
    const ReportBlock& block = (*strip.blocks)[i];
    for (const double ns : block.ns) {
      if (sample++ % step != 0) continue;
      dots += markup("<circle{} cx=\"{}\" cy=\"{}\" r=\"2.5\"/>",
                     block.confirmation ? markup(" class=\"o\"") : Html(),
                     pixel(scale.at(ns / strip.median_ns)), pixel(y + 2.5 * static_cast<double>(i % 7)));
    }
  }
  return markup("<g class=\"s{}\">{}</g>", series, dots);
}

Html sample_figure(const ReportData& data, const MeasuredTable& measured) {
  const std::vector<Strip> strips = strips_of(data, measured);
  if (strips.empty()) return {};
  std::vector<double> relative = {1};
  for (const Strip& each : strips) {
    for (const double ns : each.ns) relative.push_back(ns / each.median_ns);
  }
  Figure figure{.title = "Samples over their median",
                .description = "a dot per sample, a line of dots per measurement block",
                .width = 564,
                .height = 42 + 34.0 * static_cast<double>(strips.size())};
  const LogScale scale(relative, 84, 556);
  figure.content = x_axis(scale, 2, figure.height - 34, "time over the median; hollow: re-measured");
  HtmlTable table{.header = {"setting", "samples", "blocks", "median", "quartiles"}};
  double y = 10;
  for (std::size_t i = 0; i < strips.size(); ++i, y += 34) {
    const Strip& each = strips[i];
    figure.content += markup("<text class=\"t e\" x=\"74\" y=\"{}\">{}</text>", pixel(y + 12), each.label);
    figure.content += dots_of(each, scale, y, i);
    table.rows.push_back(
        {each.label, each.ns.size(), each.blocks->size(), time_text(each.median_ns),
         markup("{} to {}", time_text(quantile(each.ns, 0.25)), time_text(quantile(each.ns, 0.75)))});
  }
  return to_html(figure) + html_details("numbers", to_html(table));
}

Html command_block(const MeasuredTable& measured) {
  Html lines;
  for (const auto& [label, row] : shown_rows(measured))
    lines += markup("# {}\n{}\n", label, point_command(*row));
  return html_details("Commands that measure these points again",
                      markup("<pre tabindex=\"0\">{}</pre>", lines));
}

Html size_table(const ReportData& data, const std::string& dwarf) {
  HtmlTable table{.caption = markup("{}: time by problem", dwarf),
                  .header = {"problem", "device", "baseline", "best", "speedup", "best setting"},
                  .numbers = 2};
  const SettingTable* first = nullptr;
  bool several = false;
  for (const MeasuredTable& measured : measured_tables(data)) {
    if (measured.table->dwarf != dwarf) continue;
    several = several || (first != nullptr && first != measured.table);
    first = measured.table;
    const MeasurementRow& best = *measured.best.row;
    table.rows.push_back(
        {markup("{}: {}", measured.table->size, measured.table->problem), data.names[measured.column],
         measured.baseline ? time_text(*measured.baseline->median_ns) : "", time_text(*best.median_ns),
         measured.best.setting->baseline ? "" : speedup_text(best), measured.best.setting->label});
  }
  return several ? to_html(table) : Html();
}

// "a: what it does; b, c: what they do" as a list; any other text as it is.
Html variants_of(const std::string& meaning) {
  std::vector<Html> items;
  for (std::size_t from = 0; from < meaning.size();) {
    const std::size_t end = std::min(meaning.find("; ", from), meaning.size());
    const std::string part = meaning.substr(from, end - from);
    const std::size_t colon = part.find(": ");
    if (colon == std::string::npos && items.empty()) return markup("<p>Variants: {}.</p>\n", meaning);
    items.push_back(colon == std::string::npos
                        ? Html(part)
                        : markup("<b>{}</b>: {}", part.substr(0, colon), part.substr(colon + 2)));
    from = end + 2;
  }
  return html_list(items);
}

// What the dwarf computes and what its variants are; nothing for one that this program does not know.
Html introduction(const std::string& name) {
  const Dwarf* const known = known_dwarf(name);
  if (!known) return {};
  const DwarfInfo& info = known->info();
  Html text = markup("<p>{} ({}).</p>\n", info.title, info.pattern);
  for (const Axis& axis : known->space().axes()) {
    if (axis.name == "variant") text += variants_of(axis.meaning);
  }
  return text;
}

Html problem_part(const ReportData& data, const SettingTable& table,
                  const std::vector<MeasuredTable>& measured_list) {
  Html defaults;
  for (const std::string& each : table.default_configs) defaults += markup("<li>{}</li>", each);
  Html content = markup("<h4>{}</h4>\n", problem_text(table)) +
                 html_details("Values that the settings differ from", markup("<ul>{}</ul>", defaults));
  for (std::size_t column = 0; column < data.model.columns.size(); ++column) {
    content += settings_table(data, table, column);
    for (const MeasuredTable& measured : measured_list) {
      if (measured.table != &table || measured.column != column) continue;
      content +=
          kernel_share_figure(data, measured) + sample_figure(data, measured) + command_block(measured);
    }
  }
  return content;
}

}  // namespace

Html dwarf_sections(const ReportData& data) {
  Html content;
  std::string dwarf;
  const std::vector<MeasuredTable> measured = measured_tables(data);
  for (const SettingTable& table : data.model.tables) {
    if (table.kernel != "total" || table.settings.empty()) continue;
    if (table.dwarf != dwarf) {
      if (!dwarf.empty()) content += size_table(data, dwarf) + markup("</article>\n");
      dwarf = table.dwarf;
      content += markup("<article id=\"d-{}\" data-dwarf=\"{}\"><h3>{}</h3>\n", dwarf, dwarf, dwarf) +
                 introduction(dwarf);
    }
    content += problem_part(data, table, measured);
  }
  return dwarf.empty() ? content : content + size_table(data, dwarf) + markup("</article>\n");
}

}  // namespace dwarfsweep

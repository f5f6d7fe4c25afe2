// Section 3: dwarf x device.
#include <algorithm>
#include <optional>

#include "suite/output/table_cells.hpp"
#include "suite/report/figure.hpp"
#include "suite/report/portability.hpp"
#include "suite/report/sections.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

constexpr double label_width = 150;
constexpr double chart_right = 700;
constexpr double line_height = 22;

struct OverviewLine {
  MeasuredTable measured;
  const MeasurementRow* single = nullptr;  ///< the best single setting for all devices, on this one
};

// The best single setting for all devices, on the device of that column and table.
const MeasurementRow* single_setting_row(const std::vector<PortableDwarf>& dwarfs,
                                         const MeasuredTable& measured) {
  for (const PortableDwarf& dwarf : dwarfs) {
    const PortableSetting* const single = dwarf.best_single();
    for (std::size_t device = 0; device < dwarf.columns.size() && single != nullptr; ++device) {
      if (dwarf.tables[device] == measured.table && dwarf.columns[device] == measured.column)
        return single->cells[device];
    }
  }
  return nullptr;
}

std::vector<OverviewLine> overview_lines(const ReportData& data) {
  const std::vector<PortableDwarf> dwarfs = portable_dwarfs(data);
  std::vector<OverviewLine> lines;
  for (const MeasuredTable& measured : measured_tables(data))
    lines.push_back({measured, single_setting_row(dwarfs, measured)});
  return lines;
}

// "cuBLAS (torch.mv) 87.34 us, 1.34x ours".
std::string libraries_text(const ReportData& data, const MeasurementRow& best) {
  std::string text;
  for (const PeerTime& peer : peers_of(data.peers, best)) {
    text += fmt::format("{}{} {}, {}x ours", text.empty() ? "" : "; ", peer.peer, time_text(peer.ns),
                        ratio_text(peer.ns / *best.median_ns));
  }
  return text;
}

std::string point_title(const OverviewLine& line, const MeasurementRow& row, const char* what) {
  return fmt::format("{} {}: {}, {}", line.measured.table->dwarf, what, time_text(*row.median_ns),
                     speedup_text(row));
}

Html drawn_line(const ReportData& data, const OverviewLine& line, const LogScale& scale, double y) {
  const MeasurementRow& best = *line.measured.best.row;
  const double x = scale.at(best.speedup.value_or(1));
  Html content =
      markup("<text class=\"t e\" x=\"{}\" y=\"{}\">{} {} ({})</text><path class=\"ci\" d=\"M{} {}H{}\"/>",
             pixel(label_width - 8), pixel(y + 4), data.model.columns[line.measured.column].letter,
             line.measured.table->dwarf, line.measured.table->size, pixel(scale.at(1)), pixel(y), pixel(x));
  if (line.measured.baseline != nullptr) {
    content += point_link(
        index_of(data, *line.measured.baseline), point_title(line, *line.measured.baseline, "baseline"),
        markup("<circle class=\"base\" cx=\"{}\" cy=\"{}\" r=\"3\"/>", pixel(scale.at(1)), pixel(y)));
  }
  if (line.single != nullptr && line.single != &best && line.single->speedup) {
    content +=
        point_link(index_of(data, *line.single), point_title(line, *line.single, "best single setting"),
                   marker(line.measured.column, scale.at(*line.single->speedup), y, true));
  }
  return content + point_link(index_of(data, best), point_title(line, best, "best"),
                              marker(line.measured.column, x, y));
}

Html overview_figure(const ReportData& data, const std::vector<OverviewLine>& lines) {
  std::vector<double> speedups = {1};
  for (const OverviewLine& line : lines) {
    if (line.measured.best.row->speedup) speedups.push_back(*line.measured.best.row->speedup);
    if (line.single != nullptr && line.single->speedup) speedups.push_back(*line.single->speedup);
  }
  Figure figure{.title = "Speedup of the best setting over the baseline, by dwarf and device",
                .description = "a line for each dwarf and device; the table below has the numbers",
                .height = 46 + line_height * static_cast<double>(lines.size())};
  const LogScale scale(speedups, label_width, chart_right);
  figure.content =
      x_axis(scale, 4, figure.height - 34, "speedup over the baseline; hollow: best single setting");
  double y = 16;
  for (const OverviewLine& line : lines) {
    figure.content += drawn_line(data, line, scale, y);
    y += line_height;
  }
  return to_html(figure);
}

}  // namespace

Html overview_section(const ReportData& data) {
  const std::vector<OverviewLine> lines = overview_lines(data);
  if (lines.empty()) return html_section("overview", "3 Overview", markup("<p>Nothing was measured.</p>\n"));
  const bool several = data.model.columns.size() > 1;
  HtmlTable table{
      .caption =
          markup("Times of whole runs. The CPU reference is the dwarf in plain C++ on the "
                 "host's cores, unpaired. Comparison libraries, where one was measured on such a device "
                 "for the same problem: their times are from other runs (results/peers), by their own "
                 "clocks, and the ratio is that time over ours."),
      .header = {markup("dwarf"), markup("device"), markup("size"), markup("baseline"), markup("best"),
                 markup("speedup"), markup("setting"), markup("of peak"), markup("over 1 / all threads")},
      .numbers = 3};
  const bool with_libraries = std::any_of(lines.begin(), lines.end(), [&](const OverviewLine& line) {
    return !peers_of(data.peers, *line.measured.best.row).empty();
  });
  if (with_libraries) table.header.push_back(markup("comparison libraries"));
  if (several) table.header.push_back(markup("best single setting for all devices"));
  for (const OverviewLine& line : lines) {
    const MeasuredTable& measured = line.measured;
    const MeasurementRow& best = *measured.best.row;
    const CpuReference& reference = measured.table->cpu_reference;
    const std::string one = over_reference(reference.one_thread[measured.column], *best.median_ns);
    const std::string all = over_reference(reference.all_threads[measured.column], *best.median_ns);
    table.rows.push_back(
        {markup("<a href=\"#d-{}\">{}</a>", measured.table->dwarf, measured.table->dwarf),
         markup("{}", data.model.columns[measured.column].letter), markup("{}", measured.table->size),
         markup("{}", measured.baseline != nullptr ? time_text(*measured.baseline->median_ns) : "none"),
         markup("{}", time_text(*best.median_ns)),
         markup("{} {}", measured.best.setting->baseline ? "" : speedup_text(best), verdict_glyph(best)),
         markup("{}", measured.best.setting->label),
         markup("{}", best.peak_fraction ? per_cent_text(*best.peak_fraction) + " " + best.bound : ""),
         markup("{}", one.empty() && all.empty()
                          ? ""
                          : (one.empty() ? "." : one) + " / " + (all.empty() ? "." : all))});
    if (with_libraries) table.rows.back().push_back(markup("{}", libraries_text(data, best)));
    if (several)
      table.rows.back().push_back(
          markup("{}", line.single == nullptr ? "none ran on all" : speedup_text(*line.single)));
  }
  return html_section("overview", "3 Overview", overview_figure(data, lines) + to_html(table));
}

}  // namespace dwarfsweep

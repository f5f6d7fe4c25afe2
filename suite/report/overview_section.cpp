// Dwarf x device, and what limits each dwarf.
#include <algorithm>
#include <cmath>
#include <optional>

#include "dwarfs/registry.hpp"
#include "harness/peaks/peaks.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/report/portability.hpp"
#include "suite/report/sections.hpp"

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
    const auto device = dwarf.device_of(measured.column);
    const PortableSetting* const single = dwarf.best_single();
    if (dwarf.table == measured.table && device && single != nullptr) return single->cells[*device];
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

// "12.1x / 6.30x": over one and over all threads of the CPU reference; empty if it was not measured.
std::string over_threads(const MeasuredTable& measured) {
  const CpuReference& reference = measured.table->cpu_reference;
  const double ns = *measured.best.row->median_ns;
  const std::string one = over_reference(reference.one_thread[measured.column], ns);
  const std::string all = over_reference(reference.all_threads[measured.column], ns);
  return one.empty() && all.empty() ? "" : (one.empty() ? "." : one) + " / " + (all.empty() ? "." : all);
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
             pixel(label_width - 8), pixel(y + 4),
             data.names.size() > 1 ? data.model.columns[line.measured.column].letter : "",
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
  Figure figure{.title = "Speedup of the best setting over the baseline (●)" + device_letters(data),
                .description = "a line for each dwarf and device; the table below has the numbers",
                .height = 46 + line_height * static_cast<double>(lines.size())};
  const LogScale scale(speedups, label_width, chart_right);
  figure.content = x_axis(scale, 4, figure.height - 34,
                          data.names.size() > 1 ? "speedup over the baseline; hollow: best single setting"
                                                : "speedup over the baseline");
  double y = 16;
  for (const OverviewLine& line : lines) {
    figure.content += drawn_line(data, line, scale, y);
    y += line_height;
  }
  return to_html(figure);
}

constexpr double roof_left = 58, roof_right = 700, roof_top = 16, roof_bottom = 300;

struct PlacedPoint {
  const MeasuredTable* measured;
  const MeasurementRow* row;
  bool best;
  double intensity, gop_per_s;
};

std::string rate_text(double rate) {
  return fmt::format("{:.{}f}", rate, rate >= 100 ? 0 : rate >= 10 ? 1 : 2);
}

// Places names next to points, each below those that are in its way.
class NamePlaces {
 public:
  double lowered(double x, double y) {
    for (const auto& [other_x, other_y] : taken_) {
      if (std::abs(x - other_x) < 60 && std::abs(y - other_y) < 11) y = other_y + 11;
    }
    taken_.emplace_back(x, y);
    return y;
  }

 private:
  std::vector<std::pair<double, double>> taken_;
};

struct Roofs {
  double memory = 0, cached = 0;                           // GB/s
  std::vector<std::pair<const char*, double>> operations;  // Gop/s
};

Roofs roofs_of(const ReportData& data, std::size_t column) {
  const auto highest = [&](std::initializer_list<const char*> names) {
    double found = 0;
    for (const char* name : names) found = std::fmax(found, device_number(data, column, "peaks", name));
    return found;
  };
  Roofs roofs;
  roofs.memory = highest({"read_gb_per_s", "copy_gb_per_s", "triad_gb_per_s"});
  roofs.cached = highest({"cached_read_gb_per_s", "cached_copy_gb_per_s", "cached_triad_gb_per_s"});
  for (const auto& [name, kind] :
       {std::pair("float", Arithmetic::floating), std::pair("integer", Arithmetic::integer),
        std::pair("logic", Arithmetic::logic)}) {
    if (const double rate = highest({peak_of(kind)}); rate > 0) roofs.operations.emplace_back(name, rate);
  }
  return roofs;
}

std::vector<PlacedPoint> placed_points(const std::vector<MeasuredTable>& tables, std::size_t column) {
  std::vector<PlacedPoint> points;
  const auto place = [&](const MeasuredTable& measured, const MeasurementRow* row, bool best) {
    if (row == nullptr || !row->bytes || !row->operations || *row->bytes <= 0 || *row->operations <= 0)
      return;
    points.push_back(
        {&measured, row, best, *row->operations / *row->bytes, *row->operations / *row->median_ns});
  };
  for (const MeasuredTable& measured : tables) {
    if (measured.column != column) continue;
    if (measured.baseline != measured.best.row) place(measured, measured.baseline, false);
    place(measured, measured.best.row, true);
  }
  return points;
}

Html drawn_roofs(const Roofs& roofs, const LogScale& x, const LogScale& y, double low, double high) {
  Html lines;
  double top = 0;
  for (const auto& [name, rate] : roofs.operations) top = std::max(top, rate);
  for (const auto& [name, rate] : {std::pair("memory", roofs.memory), std::pair("cache", roofs.cached)}) {
    if (rate <= 0 || top <= 0) continue;
    const double end = std::min(high, top / rate);
    lines += markup("<path class=\"roof\" d=\"M{} {}L{} {}\"/>", pixel(x.at(low)), pixel(y.at(low * rate)),
                    pixel(x.at(end)), pixel(y.at(end * rate)));
    const double at = std::sqrt(low * end);
    lines += markup("<text class=\"t e\" x=\"{}\" y=\"{}\">{} {:.0f} GB/s</text>", pixel(x.at(at) - 6),
                    pixel(y.at(at * rate) - 5), name, rate);
  }
  double free_below = -1e9;
  std::vector<std::pair<const char*, double>> sorted = roofs.operations;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [name, rate] : sorted) {
    const double from =
        roofs.memory > 0 ? std::clamp(rate / std::max(roofs.cached, roofs.memory), low, high) : low;
    lines += markup("<path class=\"roof\" d=\"M{} {}H{}\"/>", pixel(x.at(from)), pixel(y.at(rate)),
                    pixel(x.at(high)));
    const double text_y = std::max(y.at(rate) - 4, free_below + 15);
    free_below = text_y;
    lines += markup("<text class=\"t e\" x=\"{}\" y=\"{}\">{} {:.0f} Gop/s</text>", pixel(x.at(high)),
                    pixel(text_y), name, rate);
  }
  return lines;
}

Html device_roofline(const ReportData& data, const std::vector<MeasuredTable>& tables, std::size_t column) {
  const std::vector<PlacedPoint> points = placed_points(tables, column);
  const Roofs roofs = roofs_of(data, column);
  if (points.empty() || roofs.memory <= 0) return {};
  std::vector<double> intensities = {0.5};
  std::vector<double> rates = {roofs.memory * 0.5};
  for (const PlacedPoint& point : points) {
    intensities.push_back(point.intensity);
    rates.push_back(point.gop_per_s);
  }
  for (const auto& [name, rate] : roofs.operations) {
    rates.push_back(rate);
    intensities.push_back(rate / roofs.memory);
  }
  const LogScale x(intensities, roof_left, roof_right);
  const LogScale y(rates, roof_bottom, roof_top);
  const double low = std::ranges::min(intensities);
  const double high = std::ranges::max(intensities);
  Figure figure{
      .title = data.names[column] + ": roofline; filled: best setting, hollow: baseline",
      .description = "operations per second against operations per byte; the table below has the numbers",
      .height = roof_bottom + 34};
  figure.content = x_axis(x, roof_top, roof_bottom, "operations per byte", false) +
                   y_axis(y, roof_left, roof_right, "Gop/s") + drawn_roofs(roofs, x, y, low, high);
  HtmlTable table{.header = {"dwarf", "setting", "operations per byte", "Gop/s", "GB/s", "of peak, limit"},
                  .numbers = 2};
  NamePlaces names;
  for (const PlacedPoint& point : points) {
    const MeasurementRow& row = *point.row;
    const double at = x.at(point.intensity);
    figure.content += point_link(index_of(data, row),
                                 fmt::format("{} {}: {:.3g} Gop/s at {:.3g} operations per byte", row.dwarf,
                                             row.variant, point.gop_per_s, point.intensity),
                                 marker(column, at, y.at(point.gop_per_s), !point.best));
    if (point.best)
      figure.content += markup("<text class=\"t\" x=\"{}\" y=\"{}\">{}</text>", pixel(at + 7),
                               pixel(names.lowered(at, y.at(point.gop_per_s) + 4)), row.dwarf);
    table.rows.push_back({markup("{} ({})", row.dwarf, row.size),
                          point.best ? point.measured->best.setting->label : "baseline",
                          markup("{:.3g}", point.intensity), rate_text(point.gop_per_s),
                          rate_text(row.gb_per_s.value_or(0)), peak_text(row)});
  }
  return to_html(figure) + html_details("numbers", to_html(table));
}

}  // namespace

Html overview_section(const ReportData& data) {
  const std::vector<OverviewLine> lines = overview_lines(data);
  if (lines.empty()) return {};
  const auto any = [&](const auto& holds) { return std::any_of(lines.begin(), lines.end(), holds); };
  const bool with_libraries =
      any([&](const OverviewLine& line) { return !peers_of(data.peers, *line.measured.best.row).empty(); });
  const bool with_reference =
      any([](const OverviewLine& line) { return !over_threads(line.measured).empty(); });
  const bool with_single = any([](const OverviewLine& line) { return line.single != nullptr; });
  HtmlTable table{
      .caption = markup("Times of whole executions.{}{}",
                        with_reference ? " The CPU reference is the dwarf in plain C++ on the host's cores, "
                                         "unpaired; the last but one column is its time over ours."
                                       : "",
                        with_libraries ? " Libraries were measured in other runs (results/peers), each by "
                                         "its own clock; the ratio is their time over ours."
                                       : ""),
      .header = {"dwarf", "size", "device", "baseline", "best", "speedup", "of peak, limit"},
      .numbers = 3};
  if (with_reference) table.header.push_back("over 1 / all threads");
  if (with_libraries) table.header.push_back("libraries");
  if (with_single) table.header.push_back("best single setting");
  for (const OverviewLine& line : lines) {
    const MeasuredTable& measured = line.measured;
    const MeasurementRow& best = *measured.best.row;
    std::vector<Html> cells = {
        markup("<a href=\"#d-{}\">{}</a>", measured.table->dwarf, measured.table->dwarf),
        size_text(data, *measured.table),
        data.names[measured.column],
        measured.baseline != nullptr ? time_text(*measured.baseline->median_ns) : "not measured",
        time_text(*best.median_ns),
        markup("{} {}", measured.best.setting->baseline ? "" : speedup_text(best), point_mark(best)),
        peak_text(best)};
    if (with_reference) cells.push_back(over_threads(measured));
    if (with_libraries) cells.push_back(libraries_text(data, best));
    if (with_single) cells.push_back(line.single == nullptr ? "none ran on all" : speedup_text(*line.single));
    table.rows.push_back(std::move(cells));
  }
  return overview_figure(data, lines) + to_html(table);
}

Html roofline_section(const ReportData& data) {
  Html content;
  const std::vector<MeasuredTable> tables = measured_tables(data);
  for (std::size_t column = 0; column < data.model.columns.size(); ++column)
    content += device_roofline(data, tables, column);
  if (content.empty()) return {};
  return markup(
             "<p>The roofs are peaks measured on the device: memory beyond its caches, its last-level cache, "
             "and "
             "each kind of arithmetic. A dwarf's operations and bytes are counted once, as the algorithm "
             "needs "
             "them. A dwarf that is limited by kernel launches is far from every roof.</p>\n") +
         content;
}

}  // namespace dwarfsweep

// Section 4: what bounds each dwarf.
#include <algorithm>
#include <cmath>

#include "dwarfs/registry.hpp"
#include "harness/peaks/peaks.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/report/figure.hpp"
#include "suite/report/sections.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

constexpr double roof_left = 58, roof_right = 700, roof_top = 16, roof_bottom = 300;

struct PlacedPoint {
  const MeasuredTable* measured;
  const MeasurementRow* row;
  bool best;
  double intensity, gop_per_s;
};

double peak_value(const Json* device, std::initializer_list<const char*> names) {
  double highest = 0;
  if (device == nullptr) return highest;
  const auto peaks = device->find("peaks");
  if (peaks == device->end() || !peaks->is_object()) return highest;
  for (const char* const name : names) {
    const auto value = peaks->find(name);
    if (value != peaks->end() && value->is_number()) highest = std::max(highest, value->get<double>());
  }
  return highest;
}

std::string rate_text(double rate) {
  return fmt::format("{:.{}f}", rate, rate >= 100 ? 0 : rate >= 10 ? 1 : 2);
}

// Places names beside points, each below those that are in its way.
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

Roofs roofs_of(const Json* device) {
  Roofs roofs;
  roofs.memory = peak_value(device, {"read_gb_per_s", "copy_gb_per_s", "triad_gb_per_s"});
  roofs.cached =
      peak_value(device, {"cached_read_gb_per_s", "cached_copy_gb_per_s", "cached_triad_gb_per_s"});
  for (const auto& [name, kind] :
       {std::pair("float", Arithmetic::floating), std::pair("integer", Arithmetic::integer),
        std::pair("logic", Arithmetic::logic)}) {
    if (const double rate = peak_value(device, {peak_of(kind)}); rate > 0)
      roofs.operations.emplace_back(name, rate);
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
  const double top = roofs.operations.empty()
                         ? 0
                         : std::max_element(roofs.operations.begin(), roofs.operations.end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; })
                               ->second;
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
  const DeviceColumn& device = data.model.columns[column];
  const std::vector<PlacedPoint> points = placed_points(tables, column);
  const Roofs roofs = roofs_of(device_description(data, device));
  if (points.empty() || roofs.memory <= 0)
    return markup("<p>{}: {}</p>\n", column_name(device),
                  points.empty() ? "no point has operations and bytes." : "the run has no measured peaks.");
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
  const double low = *std::min_element(intensities.begin(), intensities.end());
  const double high = *std::max_element(intensities.begin(), intensities.end());
  Figure figure{
      .title = column_name(device) + ": roofline; filled: best, hollow: baseline",
      .description = "operations per second against operations per byte; the table below has the numbers",
      .height = roof_bottom + 34};
  figure.content = x_axis(x, roof_top, roof_bottom, "operations per byte", false) +
                   y_axis(y, roof_left, roof_right, "Gop/s") + drawn_roofs(roofs, x, y, low, high);
  HtmlTable table{.caption = markup("{}: what bounds the best settings", column_name(device)),
                  .header = {markup("dwarf"), markup("setting"), markup("operations per byte"),
                             markup("Gop/s"), markup("GB/s"), markup("of peak"), markup("bound by")},
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
                          markup("{}", point.best ? point.measured->best.setting->label : "baseline"),
                          markup("{:.3g}", point.intensity), markup("{}", rate_text(point.gop_per_s)),
                          markup("{}", rate_text(row.gb_per_s.value_or(0))),
                          markup("{}", row.peak_fraction ? per_cent_text(*row.peak_fraction) : ""),
                          markup("{}", row.bound)});
  }
  return to_html(figure) + to_html(table);
}

}  // namespace

Html roofline_section(const ReportData& data) {
  const std::vector<MeasuredTable> tables = measured_tables(data);
  Html content = markup(
      "<p>Each dwarf's operations and bytes are counted once, as the algorithm needs them, and the roofs are "
      "peaks measured on the "
      "device: memory beyond its caches, its last-level cache, and the dwarf's kind of arithmetic. Where "
      "launching bounds a run, no "
      "roof is near.</p>\n");
  for (std::size_t column = 0; column < data.model.columns.size(); ++column)
    content += device_roofline(data, tables, column);
  return html_section("roofline", "4 Roofline", content);
}

}  // namespace dwarfsweep

#include "suite/report/sample_figure.hpp"

#include "harness/statistics/quantile.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/report/figure.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t max_drawn = 60;

struct DrawnSample {
  std::size_t block;
  double ns;
  bool confirmation;
};

std::vector<DrawnSample> drawn_samples(const ReportData& data, const MeasurementRow& row) {
  std::vector<DrawnSample> samples;
  const auto found = data.blocks.find(point_text(row));
  if (found == data.blocks.end()) return samples;
  for (std::size_t block = 0; block < found->second.size(); ++block) {
    for (const double ns : found->second[block].ns)
      samples.push_back({block, ns, found->second[block].confirmation});
  }
  return samples;
}

// Relative to its own median, so that both fit on one axis.
Html strip(const std::vector<DrawnSample>& samples, double median_ns, const LogScale& scale, double y,
           std::size_t series) {
  Html dots;
  const std::size_t step = (samples.size() + max_drawn - 1) / max_drawn;
  for (std::size_t i = 0; i < samples.size(); i += step) {
    const double x = scale.at(samples[i].ns / median_ns);
    const double shift = 2.5 * static_cast<double>(samples[i].block % 7);
    dots += markup("<circle class=\"{}s{}\" cx=\"{}\" cy=\"{}\" r=\"2.5\"/>",
                   samples[i].confirmation ? "o " : "", series, pixel(x), pixel(y + shift));
  }
  return dots;
}

}  // namespace

Html sample_figure(const ReportData& data, const MeasuredTable& measured) {
  struct Strip {
    const char* label;
    const MeasurementRow* row;
    std::vector<DrawnSample> samples;
    double median_ns;
  };
  std::vector<Strip> strips;
  const auto add = [&](const char* label, const MeasurementRow* row) {
    if (row == nullptr) return;
    Strip each{label, row, drawn_samples(data, *row), 0};
    if (each.samples.empty()) return;
    std::vector<double> times;
    for (const DrawnSample& sample : each.samples) times.push_back(sample.ns);
    each.median_ns = median(times);
    strips.push_back(std::move(each));
  };
  add("baseline", measured.baseline);
  if (measured.best.row != measured.baseline) add("best", measured.best.row);
  if (strips.empty()) return {};
  std::vector<double> relative = {1};
  for (const Strip& each : strips) {
    for (const DrawnSample& sample : each.samples) relative.push_back(sample.ns / each.median_ns);
  }
  Figure figure{.title = fmt::format("{}: samples over their median", problem_text(*measured.table)),
                .description = "a dot per sample, a line of dots per measurement block",
                .width = 564,
                .height = 42 + 34.0 * static_cast<double>(strips.size())};
  const LogScale scale(relative, 84, 556);
  figure.content = x_axis(scale, 2, figure.height - 34, "time over the median; hollow: re-measured");
  HtmlTable table{.caption = markup("Samples of whole runs"),
                  .header = {markup("setting"), markup("samples"), markup("blocks"), markup("median"),
                             markup("quartiles")}};
  double y = 10;
  for (std::size_t i = 0; i < strips.size(); ++i, y += 34) {
    const Strip& each = strips[i];
    figure.content += markup("<text class=\"t e\" x=\"74\" y=\"{}\">{}</text>", pixel(y + 12), each.label);
    figure.content += strip(each.samples, each.median_ns, scale, y, i);
    std::vector<double> times;
    for (const DrawnSample& sample : each.samples) times.push_back(sample.ns);
    table.rows.push_back(
        {markup("{}", each.label), markup("{}", times.size()),
         markup("{}", data.blocks.at(point_text(*each.row)).size()), markup("{}", time_text(each.median_ns)),
         markup("{} to {}", time_text(quantile(times, 0.25)), time_text(quantile(times, 0.75)))});
  }
  return to_html(figure) + to_html(table);
}

}  // namespace dwarfsweep

#include "suite/report/kernel_share.hpp"

#include <algorithm>

#include "suite/output/table_cells.hpp"
#include "suite/report/figure.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

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

struct SharedRow {
  const char* label;
  const MeasurementRow* row;
};

}  // namespace

Html kernel_share_figure(const ReportData& data, const MeasuredTable& measured) {
  std::vector<SharedRow> rows;
  if (measured.baseline != nullptr) rows.push_back({"baseline", measured.baseline});
  if (measured.best.row != measured.baseline) rows.push_back({"best", measured.best.row});
  Figure figure{.title = fmt::format("{}: which kernels take the time", problem_text(*measured.table))};
  HtmlTable table{.caption = markup("Share of each kernel in a whole run"),
                  .header = {markup("setting"), markup("kernel"), markup("median"), markup("share")},
                  .numbers = 2};
  std::vector<std::string> kernels;
  double y = 4;
  for (const SharedRow& each : rows) {
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
      table.rows.push_back({markup("{}", each.label), markup("{} {}", series + 1, part.kernel),
                            markup("{}", time_text(part.ns)), markup("{:.1f} %", 100 * part.ns / sum)});
      x += width;
    }
    y += 26;
  }
  if (table.rows.empty()) return {};
  figure.width = 80 + share_width + 4;
  figure.height = y;
  figure.description = "stacked bars; the table below has the numbers";
  return to_html(figure) + to_html(table);
}

}  // namespace dwarfsweep

#include <algorithm>

#include "suite/report/figure.hpp"
#include "suite/report/portability_view.hpp"

namespace dwarfsweep {
namespace {

constexpr double panel_width = 304, panel_left = 92, panel_right = 262;
constexpr double chart_top = 22, chart_bottom = 122, legend_line = 14;
constexpr std::size_t panels_in_a_row = 3;

struct PlacedDevice {
  std::size_t device;
  double efficiency;
};

// From the highest to the lowest; those not asked or not run are left out.
std::vector<PlacedDevice> cascade_of(const PortableSetting& setting) {
  std::vector<PlacedDevice> order;
  for (std::size_t device = 0; device < setting.efficiencies.size(); ++device) {
    if (setting.efficiencies[device]) order.push_back({device, *setting.efficiencies[device]});
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const PlacedDevice& a, const PlacedDevice& b) { return a.efficiency > b.efficiency; });
  return order;
}

// "base", "A", "B, C": short enough for a line below a small plot.
std::string short_role(const std::string& role) {
  std::string text;
  for (std::size_t from = 0; from < role.size();) {
    const std::size_t comma = std::min(role.find(", ", from), role.size());
    std::string part = role.substr(from, comma - from);
    if (part.starts_with("peak of ")) part = part.substr(8);
    text += (text.empty() ? "" : ", ") + part;
    from = comma + 2;
  }
  return text;
}

class Panel {
 public:
  Panel(const ReportData& data, const PortableDwarf& dwarf, double x, double y)
      : data_(data), dwarf_(dwarf), x_(x), y_(y) {}

  [[nodiscard]] Html draw() const {
    Html content = frame();
    const std::vector<ShownSetting> shown = shown_settings(data_, dwarf_);
    for (std::size_t i = 0; i < shown.size(); ++i) content += line(shown[i], i);
    return content;
  }

 private:
  [[nodiscard]] double at_device(std::size_t place) const {
    const double step = (panel_right - panel_left) / static_cast<double>(dwarf_.columns.size());
    return x_ + panel_left + step * (static_cast<double>(place) + 0.5);
  }
  [[nodiscard]] double at_efficiency(double efficiency) const {
    return y_ + chart_bottom - efficiency * (chart_bottom - chart_top);
  }

  [[nodiscard]] Html frame() const {
    Html content =
        markup("<text class=\"t\" x=\"{}\" y=\"{}\">{}{}</text>", pixel(x_ + panel_left), pixel(y_ + 13),
               dwarf_.dwarf, dwarf_.same_problem ? " (" + dwarf_.tables.front()->size + ")" : "");
    for (const double tick : {0.0, 0.5, 1.0}) {
      const double y = at_efficiency(tick);
      content +=
          markup("<path class=\"grid\" d=\"M{} {}H{}\"/><text class=\"t e\" x=\"{}\" y=\"{}\">{}</text>",
                 pixel(x_ + panel_left), pixel(y), pixel(x_ + panel_right), pixel(x_ + panel_left - 4),
                 pixel(y + 4), tick == 0 ? "0" : tick_text(tick));
    }
    return content;
  }

  [[nodiscard]] Html line(const ShownSetting& shown, std::size_t series) const {
    const std::vector<PlacedDevice> order = cascade_of(*shown.setting);
    if (order.empty()) return {};
    std::string path;
    Html marks;
    Html letters;
    const double below = y_ + chart_bottom + 14 + legend_line * static_cast<double>(series);
    for (std::size_t place = 0; place < order.size(); ++place) {
      const auto& [device, efficiency] = order[place];
      const double x = at_device(place);
      const double y = at_efficiency(efficiency);
      path += (path.empty() ? "M" : "L") + pixel(x) + " " + pixel(y);
      const std::string& letter = device_letter(data_, dwarf_, device);
      marks += point_link(index_of(data_, *shown.setting->cells[device]),
                          fmt::format("{} {} on {}: {}", dwarf_.dwarf, shown.setting->label, letter,
                                      efficiency_text(*shown.setting, device)),
                          marker(series, x, y));
      letters += markup("<text class=\"t m\" x=\"{}\" y=\"{}\">{}</text>", pixel(x), pixel(below), letter);
    }
    const auto portable = shown.setting->portability();
    return markup("<path class=\"s{} line\" d=\"{}\"/>", series % 8, path) + marks + letters +
           marker(series, x_ + 6, below - 4) +
           markup("<text class=\"t\" x=\"{}\" y=\"{}\">{}</text>", pixel(x_ + 13), pixel(below),
                  short_role(shown.role)) +
           markup("<text class=\"t e\" x=\"{}\" y=\"{}\">{}</text>", pixel(x_ + panel_width - 10),
                  pixel(below), portable ? share_text(*portable) : "·");
  }

  const ReportData& data_;
  const PortableDwarf& dwarf_;
  double x_, y_;
};

}  // namespace

Html cascade_figure(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  if (dwarfs.empty()) return {};
  Figure figure{.title =
                    "Cascades: efficiencies of a setting from its best device to its worst, whose letters "
                    "stand below; on the right the performance portability",
                .description = "a small plot for each dwarf; the table below has the numbers",
                .width = panel_width * panels_in_a_row,
                .height = 0};
  for (std::size_t from = 0; from < dwarfs.size(); from += panels_in_a_row) {
    const std::size_t to = std::min(from + panels_in_a_row, dwarfs.size());
    std::size_t lines = 0;
    for (std::size_t i = from; i < to; ++i) {
      figure.content +=
          Panel(data, dwarfs[i], panel_width * static_cast<double>(i - from), figure.height).draw();
      lines = std::max(lines, shown_settings(data, dwarfs[i]).size());
    }
    figure.height += chart_bottom + 22 + legend_line * static_cast<double>(lines);
  }
  return to_html(figure);
}

}  // namespace dwarfsweep

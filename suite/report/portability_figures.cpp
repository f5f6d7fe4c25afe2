// The cascades and the transfer matrix.
#include <algorithm>
#include <functional>

#include "harness/statistics/statistics.hpp"
#include "suite/report/portability.hpp"
#include "suite/report/sections.hpp"

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
  std::ranges::stable_sort(order, std::greater(), &PlacedDevice::efficiency);
  return order;
}

class Panel {
 public:
  Panel(const ReportData& data, const PortableDwarf& dwarf, double x, double y)
      : data_(data), dwarf_(dwarf), x_(x), y_(y) {}

  [[nodiscard]] Html draw() const {
    Html content = frame();
    const std::vector<ShownSetting> shown = shown_settings(dwarf_);
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
    Html content = markup("<text class=\"t\" x=\"{}\" y=\"{}\">{} ({})</text>", pixel(x_ + panel_left),
                          pixel(y_ + 13), dwarf_.table->dwarf, dwarf_.table->size);
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
      const std::string& letter = data_.model.columns[dwarf_.columns[device]].letter;
      marks += point_link(
          index_of(data_, *shown.setting->cells[device]),
          fmt::format("{} {} on {}: {}", dwarf_.table->dwarf, shown.setting->label,
                      data_.names[dwarf_.columns[device]], efficiency_text(*shown.setting, device)),
          marker(series, x, y));
      letters += markup("<text class=\"t m\" x=\"{}\" y=\"{}\">{}</text>", pixel(x), pixel(below), letter);
    }
    const auto portable = shown.setting->portability();
    return markup("<path class=\"s{} line\" d=\"{}\"/>", series % 8, path) + marks + letters +
           marker(series, x_ + 6, below - 4) +
           markup("<text class=\"t\" x=\"{}\" y=\"{}\">{}</text>", pixel(x_ + 13), pixel(below),
                  shown.short_role(data_)) +
           markup("<text class=\"t e\" x=\"{}\" y=\"{}\">{}</text>", pixel(x_ + panel_width - 10),
                  pixel(below), portable ? share_text(*portable) : "·");
  }

  const ReportData& data_;
  const PortableDwarf& dwarf_;
  double x_, y_;
};

// What becomes of the best settings of one device on another, over the dwarfs.
struct Transfer {
  std::vector<double> efficiencies;  // of the other's own best; 0 where they cannot run
  std::size_t good = 0, not_asked = 0, not_run = 0, no_time = 0;
};

Transfer transfer_between(const std::vector<PortableDwarf>& dwarfs, std::size_t from, std::size_t to) {
  Transfer transfer;
  for (const PortableDwarf& dwarf : dwarfs) {
    const auto source = dwarf.device_of(from);
    const auto target = dwarf.device_of(to);
    if (!source || !target) continue;
    const PortableSetting* const own = dwarf.find(dwarf.best[*source].setting->config);
    if (own == nullptr || !own->efficiencies[*target]) {
      ++(own == nullptr || own->cells[*target] == nullptr ? transfer.not_asked : transfer.not_run);
      continue;
    }
    const double efficiency = *own->efficiencies[*target] / dwarf.share_of_known(*target);
    if (!is_timed(own->cells[*target])) ++transfer.no_time;
    if (efficiency >= good_enough) ++transfer.good;
    transfer.efficiencies.push_back(efficiency);
  }
  return transfer;
}

Html transfer_cell(const Transfer& transfer) {
  if (transfer.efficiencies.empty()) return transfer.not_run > 0 ? "· not run" : "· not asked";
  std::string text = fmt::format(
      "{} median, {} least; {} of {} good", share_text(median(transfer.efficiencies)),
      share_text(std::ranges::min(transfer.efficiencies)), transfer.good, transfer.efficiencies.size());
  if (transfer.no_time > 0) text += fmt::format("; {} do not run", transfer.no_time);
  if (transfer.not_run > 0) text += fmt::format("; {} not run", transfer.not_run);
  if (transfer.not_asked > 0) text += fmt::format("; {} not asked", transfer.not_asked);
  return text;
}

}  // namespace

std::string share_text(double value) {
  return value < 0.1 && value > 0 ? fmt::format("{:.2g}", value) : fmt::format("{:.2f}", value);
}

std::string efficiency_text(const PortableSetting& setting, std::size_t device) {
  const MeasurementRow* const row = setting.cells[device];
  if (row == nullptr) return "· not asked";
  return is_timed(row) ? share_text(*setting.efficiencies[device]) : outcome_text(*row);
}

std::string ShownSetting::role(const ReportData& data) const {
  std::string text = setting->baseline ? "baseline" : "";
  if (single) text += (text.empty() ? "" : ", ") + std::string("best single setting");
  for (const std::size_t column : best_on)
    text += (text.empty() ? "best on " : ", best on ") + data.names[column];
  return text;
}

std::string ShownSetting::short_role(const ReportData& data) const {
  std::string text = setting->baseline ? "baseline" : "";
  if (single) text += (text.empty() ? "" : ", ") + std::string("single");
  for (const std::size_t column : best_on)
    text += (text.empty() ? "" : ", ") + data.model.columns[column].letter;
  return text;
}

std::vector<ShownSetting> shown_settings(const PortableDwarf& dwarf) {
  std::vector<ShownSetting> shown;
  const auto place_of = [&](const PortableSetting* setting) -> ShownSetting& {
    const auto known = std::ranges::find(shown, setting, &ShownSetting::setting);
    return known != shown.end() ? *known : shown.emplace_back(ShownSetting{setting, false, {}});
  };
  const auto baseline = std::ranges::find_if(dwarf.settings, &PortableSetting::baseline);
  if (baseline != dwarf.settings.end()) place_of(&*baseline);
  if (dwarf.best_single() != nullptr) place_of(dwarf.best_single()).single = true;
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    if (const PortableSetting* const best = dwarf.find(dwarf.best[device].setting->config); best != nullptr)
      place_of(best).best_on.push_back(dwarf.columns[device]);
  }
  return shown;
}

Html cascade_figure(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  if (dwarfs.empty()) return {};
  Figure figure{
      .title =
          "Cascades: the efficiencies of a setting from its best device to its worst, with the letters of "
          "the devices below, and its performance portability on the right" +
          device_letters(data),
      .description = "a small plot for each dwarf; the table below has the numbers",
      .width = panel_width * panels_in_a_row,
      .height = 0};
  for (std::size_t from = 0; from < dwarfs.size(); from += panels_in_a_row) {
    const std::size_t to = std::min(from + panels_in_a_row, dwarfs.size());
    std::size_t lines = 0;
    for (std::size_t i = from; i < to; ++i) {
      figure.content +=
          Panel(data, dwarfs[i], panel_width * static_cast<double>(i - from), figure.height).draw();
      lines = std::max(lines, shown_settings(dwarfs[i]).size());
    }
    figure.height += chart_bottom + 22 + legend_line * static_cast<double>(lines);
  }
  return to_html(figure);
}

Html transfer_matrix(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  HtmlTable table{
      .caption = markup("Each device's best settings on the other devices, relative to the best there, over "
                        "the dwarfs. Good: at least {} of the best.",
                        share_text(good_enough)),
      .header = {"best settings of"},
      .numbers = 99};
  for (const std::string& name : data.names) table.header.push_back(markup("on {}", name));
  for (std::size_t from = 0; from < data.names.size(); ++from) {
    std::vector<Html> cells = {data.names[from]};
    for (std::size_t to = 0; to < data.names.size(); ++to)
      cells.push_back(from == to ? "=" : transfer_cell(transfer_between(dwarfs, from, to)));
    table.rows.push_back(std::move(cells));
  }
  return to_html(table);
}

}  // namespace dwarfsweep

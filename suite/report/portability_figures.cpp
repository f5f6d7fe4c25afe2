// The cascades and the transfer matrix of section 7.
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

// What becomes of the best settings of one device on another, over the dwarfs.
struct Transfer {
  std::vector<double> efficiencies;  // of the other's own best; 0 where they cannot run
  std::vector<std::string> travel;   // dwarfs
  std::string worst;
  std::size_t not_asked = 0, not_run = 0, cannot_run = 0;
};

void add_dwarf(const PortableDwarf& dwarf, std::size_t from, std::size_t to, Transfer& transfer) {
  const PortableSetting* const own = dwarf.find(dwarf.best[from].setting->config);
  if (own == nullptr || !own->efficiencies[to]) {
    ++(own == nullptr || own->cells[to] == nullptr ? transfer.not_asked : transfer.not_run);
    return;
  }
  const double efficiency = *own->efficiencies[to] / dwarf.share_of_known(to);
  if (!is_timed(own->cells[to])) ++transfer.cannot_run;
  if (efficiency >= good_enough) transfer.travel.push_back(dwarf.dwarf);
  if (transfer.efficiencies.empty() || efficiency < *std::ranges::min_element(transfer.efficiencies))
    transfer.worst = dwarf.dwarf;
  transfer.efficiencies.push_back(efficiency);
}

Transfer transfer_between(const std::vector<PortableDwarf>& dwarfs, std::size_t from, std::size_t to) {
  Transfer transfer;
  for (const PortableDwarf& dwarf : dwarfs) {
    const auto source = dwarf.device_of(from);
    const auto target = dwarf.device_of(to);
    if (dwarf.same_problem && source && target) add_dwarf(dwarf, *source, *target, transfer);
  }
  return transfer;
}

Html transfer_cell(const Transfer& transfer) {
  const std::size_t asked = transfer.efficiencies.size();
  if (asked == 0) return markup("· {}", transfer.not_run > 0 ? "not run" : "not asked");
  std::string travel;
  for (const std::string& dwarf : transfer.travel) travel += (travel.empty() ? "" : ", ") + dwarf;
  std::string text =
      fmt::format("{}; least {} ({}); {} of {} travel{}", share_text(median(transfer.efficiencies)),
                  share_text(*std::ranges::min_element(transfer.efficiencies)), transfer.worst,
                  transfer.travel.size(), asked, travel.empty() ? "" : ": " + travel);
  if (transfer.cannot_run > 0) text += fmt::format("; {} cannot run", transfer.cannot_run);
  if (transfer.not_run > 0) text += fmt::format("; {} not run", transfer.not_run);
  if (transfer.not_asked > 0) text += fmt::format("; {} not asked", transfer.not_asked);
  return text;
}

}  // namespace

const std::string& device_letter(const ReportData& data, const PortableDwarf& dwarf, std::size_t device) {
  return data.model.columns[dwarf.columns[device]].letter;
}

std::string share_text(double value) {
  return value < 0.1 && value > 0 ? fmt::format("{:.2g}", value) : fmt::format("{:.2f}", value);
}

std::string efficiency_text(const PortableSetting& setting, std::size_t device) {
  const MeasurementRow* const row = setting.cells[device];
  if (row == nullptr) return "· not asked";
  if (!setting.efficiencies[device]) return "· not run";
  if (!is_timed(row)) return "✕ cannot run: " + row->status;
  return share_text(*setting.efficiencies[device]);
}

std::vector<ShownSetting> shown_settings(const ReportData& data, const PortableDwarf& dwarf) {
  std::vector<ShownSetting> shown;
  const auto add = [&](const std::string& role, const PortableSetting* setting) {
    if (setting == nullptr) return;
    const auto known = std::ranges::find(shown, setting, &ShownSetting::setting);
    if (known == shown.end()) {
      shown.push_back({role, setting});
    } else {
      known->role += ", " + role;
    }
  };
  for (const PortableSetting& setting : dwarf.settings) {
    if (setting.baseline && shown.empty()) add("baseline", &setting);
  }
  add("base", dwarf.best_single());
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device)
    add("peak of " + device_letter(data, dwarf, device), dwarf.find(dwarf.best[device].setting->config));
  return shown;
}

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

Html transfer_matrix(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  const std::vector<std::size_t> columns = columns_of(dwarfs, true);
  if (columns.size() < 2) return {};
  HtmlTable table{
      .caption = markup(
          "Transfer matrix: each device's best settings on the others, relative to what is best there. "
          "Median over the dwarfs, the least, and which dwarfs' settings travel (at least {} of the best).",
          share_text(good_enough)),
      .header = {"best of"},
      .numbers = columns.size() + 1};
  for (const std::size_t to : columns) table.header.push_back(markup("on {}", data.model.columns[to].letter));
  for (const std::size_t from : columns) {
    std::vector<Html> cells = {column_name(data.model.columns[from])};
    for (const std::size_t to : columns)
      cells.push_back(from == to ? markup("=") : transfer_cell(transfer_between(dwarfs, from, to)));
    table.rows.push_back(std::move(cells));
  }
  return to_html(table);
}

}  // namespace dwarfsweep

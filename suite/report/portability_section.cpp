// Section 7: do settings travel between devices?
#include <algorithm>
#include <cmath>

#include "suite/report/portability.hpp"
#include "suite/report/sections.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

// Least efficiency from which one setting is said to do for all.
constexpr double good_enough = 0.9;

std::string share_text(double value) {
  return fmt::format("{:.2f}", value);
}

std::string efficiency_cell(const PortableSetting& setting, std::size_t device) {
  const MeasurementRow* const row = setting.cells[device];
  if (row == nullptr) return "· not asked";
  if (!setting.efficiencies[device]) return "· not run";
  if (*setting.efficiencies[device] <= 0) return "✕ cannot run: " + row->status;
  return share_text(*setting.efficiencies[device]) +
         (row->peak_fraction ? " (" + per_cent_text(*row->peak_fraction) + " of peak)" : "");
}

struct ShownSetting {
  std::string role;
  const PortableSetting* setting;
};

std::vector<ShownSetting> shown_settings(const ReportData& data, const PortableDwarf& dwarf) {
  std::vector<ShownSetting> shown;
  for (const PortableSetting& setting : dwarf.settings) {
    if (setting.baseline && shown.empty()) shown.push_back({"baseline", &setting});
  }
  if (const PortableSetting* const single = dwarf.best_single())
    shown.push_back({"base: best single setting", single});
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    if (const PortableSetting* const own = dwarf.find(dwarf.best[device].setting->config))
      shown.push_back({"peak of " + data.model.columns[dwarf.columns[device]].letter, own});
  }
  return shown;
}

std::vector<Html> setting_cells(const ReportData& data, const PortableDwarf& dwarf,
                                const ShownSetting& shown) {
  const PortableSetting& setting = *shown.setting;
  std::vector<double> known;
  for (const auto& each : setting.efficiencies) {
    if (each) known.push_back(*each);
  }
  const bool all = setting.asked_everywhere();
  std::string portable = "· not asked on all";
  if (const auto value = setting.portability()) {
    portable = share_text(*value);
    if (const auto interval = portability_interval(data, dwarf, setting))
      portable += " [" + share_text(interval->low) + ", " + share_text(interval->high) + "]";
  }
  double sum = 0;
  for (const double each : known) sum += each;
  std::vector<Html> cells = {
      markup("{}", dwarf.dwarf),
      markup("{}", shown.role),
      markup("{}", setting.label),
      markup("{}", portable),
      markup("{}", all ? share_text(sum / static_cast<double>(known.size())) : "·"),
      markup("{}", all ? share_text(*std::min_element(known.begin(), known.end())) : "·")};
  for (std::size_t column = 0; column < data.model.columns.size(); ++column) {
    const auto device = std::find(dwarf.columns.begin(), dwarf.columns.end(), column);
    cells.push_back(device == dwarf.columns.end()
                        ? markup("· dwarf not measured")
                        : markup("{}", efficiency_cell(setting, static_cast<std::size_t>(
                                                                    device - dwarf.columns.begin()))));
  }
  return cells;
}

Html sentence_of(const ReportData& data, const PortableDwarf& dwarf) {
  const PortableSetting* const single = dwarf.best_single();
  const char* const problems = dwarf.same_problem ? "" : " (each device on its own problem)";
  if (single == nullptr) {
    return markup("<b>{}</b>{}: · cannot be told: no setting with a time was asked on every device",
                  dwarf.dwarf, problems);
  }
  const auto asked =
      std::count_if(dwarf.settings.begin(), dwarf.settings.end(),
                    [](const PortableSetting& setting) { return setting.portability().value_or(0) > 0; });
  Html each;
  double least = 1;
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    const double own = *single->efficiencies[device];
    least = std::min(least, own);
    each += markup("{}{} {:.0f} %", each.empty() ? "" : ", ",
                   data.model.columns[dwarf.columns[device]].letter, 100 * own);
  }
  return least >= good_enough
             ? markup("<b>{}</b>{}: ✓ one setting does for all, {}: {} of each device's best", dwarf.dwarf,
                      problems, single->label, each)
             : markup(
                   "<b>{}</b>{}: ✕ none of the {} settings measured on all does for all; the best, {}, "
                   "reaches {} "
                   "of each device's best",
                   dwarf.dwarf, problems, asked, single->label, each);
}

// What would fill the cells of the transfer matrix that nobody asked for.
Html missing_commands(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  Html lines;
  for (const PortableDwarf& dwarf : dwarfs) {
    for (const ShownSetting& shown : shown_settings(data, dwarf)) {
      for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
        if (shown.setting->cells[device] != nullptr) continue;
        MeasurementRow there = *dwarf.best[device].row;
        const auto asked = std::find_if(shown.setting->cells.begin(), shown.setting->cells.end(),
                                        [](const MeasurementRow* row) { return row != nullptr; });
        if (asked == shown.setting->cells.end()) continue;
        MeasurementRow point = **asked;
        point.device = there.device;
        point.size = there.size;
        point.problem = there.problem;
        lines += markup("{}\n", point_command(point));
      }
    }
  }
  if (lines.empty()) return {};
  return markup(
      "<details><summary>Commands for the cells that were not asked for</summary><pre "
      "tabindex=\"0\">{}</pre></details>\n",
      lines);
}

}  // namespace

Html portability_section(const ReportData& data) {
  const std::vector<PortableDwarf> dwarfs = portable_dwarfs(data);
  if (dwarfs.empty())
    return html_section("portability", "7 Portability",
                        markup("<p>These runs have one device. A report of several, <code>dwarfsweep report "
                               "RUN RUN</code>, tells "
                               "which settings travel.</p>\n"));
  std::vector<Html> sentences;
  for (const PortableDwarf& dwarf : dwarfs) sentences.push_back(sentence_of(data, dwarf));
  HtmlTable table{.caption = markup("Efficiencies. PP: Pennycook's performance portability with its 95 % "
                                    "interval. In the lines \"peak of\" "
                                    "each device's best stands on the others: the transfer matrix."),
                  .header = {markup("dwarf"), markup("setting is"), markup("setting"), markup("PP"),
                             markup("mean"), markup("least")},
                  .numbers = 3};
  for (const DeviceColumn& column : data.model.columns)
    table.header.push_back(markup("on {}", column.letter));
  for (const PortableDwarf& dwarf : dwarfs) {
    for (const ShownSetting& shown : shown_settings(data, dwarf))
      table.rows.push_back(setting_cells(data, dwarf, shown));
  }
  return html_section("portability", "7 Portability",
                      markup("<p>Would one setting do for all devices? An efficiency is the shortest time of "
                             "these runs on a device over the "
                             "setting's time there; beside it the share of the measured peak. \"Not asked\" "
                             "is not \"cannot run\".</p>\n") +
                          html_list(sentences) + to_html(table) + missing_commands(data, dwarfs));
}

}  // namespace dwarfsweep
